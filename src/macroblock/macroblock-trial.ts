// One way to code a macroblock, with its bits, its distortion and its cost.
import { COEFFICIENTS_PER_BLOCK } from '../bitstream/macroblock-layout.js';
import type { CodedMacroblock, MacroblockHeader } from '../bitstream/picture-symbols.js';
import { MACROBLOCK_MOTION_BACKWARD, MACROBLOCK_MOTION_FORWARD } from '../bitstream/tables/macroblock-codes.js';
import type { KernelMemory } from '../kernels/kernel-memory.js';
import { MACROBLOCK_TRIAL, type MacroblockTrialRecord } from '../kernels/records/macroblock-trial.js';

/** A trial in kernel memory; also what decoding it would tell a decoder. */
export type MacroblockTrial = MacroblockTrialRecord & Pick<CodedMacroblock, 'dc'>;

/** Both vectors of a prediction, in half-pels: forward dx, dy, backward dx, dy. */
export type VectorPair = readonly [number, number, number, number];

/** What a macroblock is predicted from: MACROBLOCK_MOTION flags, and vectors. */
export interface Motion {
  readonly direction: number;
  readonly vectors: VectorPair;
}

/** The trial at a place in memory. */
export function trialAt(memory: KernelMemory, pointer: number): MacroblockTrial {
  const trial = MACROBLOCK_TRIAL.at(memory, pointer);
  return Object.assign(trial, { dc: (block: number) => trial.levels[block * COEFFICIENTS_PER_BLOCK]! });
}

/** Both vectors of a trial, or those that predictors give. */
export function vectorsOf(from: Omit<MacroblockHeader, 'flags' | 'quantizerScale'>): VectorPair {
  const { forwardDxHalfPels, forwardDyHalfPels, backwardDxHalfPels, backwardDyHalfPels } = from;
  return [forwardDxHalfPels, forwardDyHalfPels, backwardDxHalfPels, backwardDyHalfPels];
}

/** Sets what a trial is predicted from. Vectors of a direction that is not used count as zero. */
export function setMotion(trial: MacroblockTrial, direction: number, vectors: VectorPair): void {
  const [forwardDx, forwardDy, backwardDx, backwardDy] = vectors;
  const forward = direction & MACROBLOCK_MOTION_FORWARD ? 1 : 0;
  const backward = direction & MACROBLOCK_MOTION_BACKWARD ? 1 : 0;
  trial.direction = direction;
  trial.forwardDxHalfPels = forward * forwardDx;
  trial.forwardDyHalfPels = forward * forwardDy;
  trial.backwardDxHalfPels = backward * backwardDx;
  trial.backwardDyHalfPels = backward * backwardDy;
}
