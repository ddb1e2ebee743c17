// The plan of an encode in chunks: plain JSON, the same on every machine.

import type { FrameRate } from '../bitstream/tables/frame-rate.js';
import type { EncoderOptions } from '../encoder/options.js';
import type { PassPicture } from '../encoder/rate-control/pass-statistics.js';
import { InputError } from '../errors.js';
import { inWords } from '../given-options.js';
import { canonicalJson, hashOfText } from './content-hash.js';

/** What a plan calls itself. */
const PLAN_FORMAT = 'mpegpu plan';
/** Goes up when plans change, or when the same plan would give other bytes. */
const PLAN_VERSION = 1;

/** The options of the encoder that a plan holds: those that decide the bytes. */
export type PlannedOptions = Pick<
  EncoderOptions,
  | 'q'
  | 'quality'
  | 'bitrate'
  | 'target'
  | 'gop'
  | 'gopMin'
  | 'bFrames'
  | 'openGop'
  | 'adaptiveTypes'
  | 'startTimeCode'
  | 'preset'
  | 'tools'
  | 'tune'
  | 'aq'
  | 'slices'
  | 'matrix'
  | 'intraMatrix'
  | 'nonIntraMatrix'
  | 'pelAspectRatio'
  | 'range'
  | 'metric'
  | 'candidates'
  | 'motionReference'
> & {
  /** The name of a built-in estimator; `auto` is resolved, since machines differ. */
  readonly estimator: string;
};

/** The input that a plan is for. */
export interface PlannedInput {
  /** In pels. */
  readonly width: number;
  readonly height: number;
  /** One of MPEG-1's rates. */
  readonly frameRate: FrameRate;
  readonly frames: number;
  /** Hash over the samples of all frames, 16 hexadecimal digits. */
  readonly fingerprint: string;
}

/** A picture of the first pass: its type, the bits of its access unit, its picture scale. */
export type FirstPassPicture = readonly [
  type: PassPicture['type'],
  bits: PassPicture['bits'],
  quantizerScale: PassPicture['quantizerScale'],
];

/** What a chunk may take at a bit rate, from a first pass of all chunks. */
export interface ChunkBudget {
  readonly bits: number;
  /** Its pictures in the first pass, in coded order. */
  readonly firstPass: readonly FirstPassPicture[];
}

/** A run of pictures that is coded by itself: it starts with an I picture, and its groups need no other's pictures. */
export interface PlannedChunk {
  /** From 0. */
  readonly index: number;
  /** The first frame, from 0, and the number of frames. */
  readonly firstFrame: number;
  readonly frames: number;
  /** Time code of the first frame. */
  readonly startTimeCode: string;
  /** Hash of each frame, 8 hexadecimal digits each, one after the other. */
  readonly frameHashes: string;
  /** At a bit rate, once the first pass is done. */
  readonly budget?: ChunkBudget;
}

/**
 * The plan of an encode in chunks, made by `planChunks`. Plain JSON. All but `source` decides the bytes of the video,
 * and `identity` is a hash of it.
 */
export interface ChunkPlan {
  readonly format: string;
  readonly version: number;
  /** 16 hexadecimal digits. */
  readonly identity: string;
  readonly input: PlannedInput;
  readonly options: PlannedOptions;
  readonly chunks: readonly PlannedChunk[];
  /** Where the input was, for people and programs that look for it there. Nothing depends on it. */
  readonly source?: unknown;
}

/** What a plan is made of. */
export type PlanContents = Pick<ChunkPlan, 'input' | 'options' | 'chunks' | 'source'>;

/** The plan with these contents. */
export function makePlan({ input, options, chunks, source }: PlanContents): ChunkPlan {
  const decisive = { format: PLAN_FORMAT, version: PLAN_VERSION, input, options, chunks };
  const { format, version } = decisive;
  const identity = identityOf(decisive);
  return { format, version, identity, input, options, ...(source !== undefined && { source }), chunks };
}

/**
 * A plan that was kept as JSON: checks that `value` is a plan of this version and as it was made. Throws an InputError
 * that begins with `name`.
 */
export function readPlan(value: unknown, name = 'the plan'): ChunkPlan {
  const { format, version, identity, input, options, chunks }: Partial<ChunkPlan> = Object(value);
  if (format !== PLAN_FORMAT) throw new InputError(`${name} is no plan of mpegpu: mpegpu plan makes one`);
  if (version !== PLAN_VERSION) {
    const what = `${name} has version ${String(version)}, and this mpegpu codes version ${PLAN_VERSION}`;
    throw new InputError(`${what}: plan again, or use the mpegpu that made it`);
  }
  if (identity !== identityOf({ format, version, input, options, chunks })) {
    throw new InputError(`${name} is not as it was made (its identity is not that of its contents): plan again`);
  }
  return value as ChunkPlan;
}

/** A chunk of a plan. Throws an InputError if there is none of this index. */
export function chunkOf({ chunks }: ChunkPlan, index: number): PlannedChunk {
  const chunk = Number.isInteger(index) ? chunks[index] : undefined;
  if (!chunk)
    throw new InputError(`chunk ${inWords(index)} does not exist: the plan has chunks 0..${chunks.length - 1}`);
  return chunk;
}

/** Whether a plan still lacks its first pass. */
export function needsFirstPass({ options, chunks }: ChunkPlan): boolean {
  return options.bitrate !== undefined && chunks.some(({ budget }) => budget === undefined);
}

function identityOf(decisive: object): string {
  return hashOfText(canonicalJson(decisive));
}
