// The kinds of fuzzing by name.
import { cliKind } from '../cli/cli-kind.js';
import { flagsKind } from '../cli/flags-kind.js';
import { encodeKind } from '../encode/encode-kind.js';
import { estimatorsKind } from '../estimators/estimators-kind.js';
import { gpuKind } from '../estimators/gpu-kind.js';
import { inputsKind } from '../inputs/inputs-kind.js';

export const KINDS = {
  encode: encodeKind,
  cli: cliKind,
  flags: flagsKind,
  inputs: inputsKind,
  estimators: estimatorsKind,
  gpu: gpuKind,
} as const;

/** Name of a kind of fuzzing. */
export type KindName = keyof typeof KINDS;

/** All names. */
export const KIND_NAMES = Object.keys(KINDS) as readonly KindName[];
