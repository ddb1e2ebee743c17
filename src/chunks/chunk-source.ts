// Where chunks take their frames from, and the check that these are the frames of the plan.

import type { FrameRate } from '../bitstream/tables/frame-rate.js';
import { InputError } from '../errors.js';
import { inWords } from '../given-options.js';
import type { Frame, FrameRange } from '../picture/frame.js';
import { checkedFrame } from '../picture/frame-check.js';
import type { AbortSignalType } from '../platform-types.js';
import type { ChunkPlan, PlannedChunk } from './chunk-plan.js';
import { hashOfFrame } from './content-hash.js';

/** An input of which any range of frames can be read, such as what `openFrameRanges` of `mpegpu/node` opens. */
export interface ChunkSource {
  /** For messages. */
  readonly name: string;
  /** In pels. */
  readonly width: number;
  readonly height: number;
  /** Undefined where the input has none. */
  readonly frameRate?: FrameRate | undefined;
  /** For progress; undefined if unknown. */
  readonly frameCount?: number | undefined;
  /** True: seeking may lead to other frames than those wanted; then the source is asked again, without seeking. */
  readonly seeksRoughly?: boolean | undefined;
  /** Frames in display order, each read when it is asked for. An abort ends them with the signal's reason. */
  frames(wanted: FrameRange, signal?: AbortSignalType): AsyncIterable<Frame>;
}

const HASH_DIGITS = 8;

/** The hash of a frame of a chunk; `index` counts from the chunk's first frame. */
function plannedHash({ frameHashes }: PlannedChunk, index: number): string {
  return frameHashes.slice(HASH_DIGITS * index, HASH_DIGITS * (index + 1));
}

/** Throws an InputError for what is no source. */
export function requireSource(source: unknown): void {
  const { frames, width, height }: Partial<ChunkSource> = Object(source);
  if (typeof frames === 'function' && typeof width === 'number' && typeof height === 'number') return;
  throw new InputError(`the source is ${inWords(source)}, not an object with width, height and frames()`);
}

/** Throws an InputError unless the source has the size and the frame rate of the plan. */
export function checkSource(source: ChunkSource, { input }: ChunkPlan): void {
  requireSource(source);
  const { name, width, height, frameRate } = source;
  const planned = `${input.width}x${input.height}`;
  if (width !== input.width || height !== input.height) {
    throw new InputError(`${name} is ${width}x${height}, and the plan is for another input, of ${planned}`);
  }
  if (frameRate === undefined || isSameRate(frameRate, input.frameRate)) return;
  const [has, wanted] = [frameRate, input.frameRate].map(rate => (rate.numerator / rate.denominator).toFixed(3));
  throw new InputError(`${name} has ${has} frames per second, and the plan is for another input, of ${wanted}`);
}

/**
 * The frames of a chunk, each compared with the plan: they are the planned ones, or an InputError is thrown that names
 * the first other one. Where seeking leads to another frame, the source is asked again, without seeking.
 */
export async function* plannedFrames(
  source: ChunkSource,
  chunk: PlannedChunk,
  signal?: AbortSignalType,
): AsyncGenerator<Frame> {
  const { name, width, height } = source;
  let done = 0;
  for (const withoutSeeking of source.seeksRoughly ? [false, true] : [true]) {
    const wanted = { first: chunk.firstFrame + done, count: chunk.frames - done, withoutSeeking };
    try {
      for await (const given of source.frames(wanted, signal)) {
        const frame = checkedFrame(given, width, height, `frame ${chunk.firstFrame + done} of ${name}`);
        if (hashOfFrame(frame) !== plannedHash(chunk, done)) break;
        done++;
        yield frame;
      }
    } catch (error) {
      if (withoutSeeking || !(error instanceof InputError)) throw error;
    }
    if (done === chunk.frames) return;
  }
  const what = `frame ${chunk.firstFrame + done} (the first is 0) of ${name} is not there or not the planned one`;
  throw new InputError(`${what}: the plan is for another input, or was made with an ffmpeg that decodes it otherwise`);
}

/** MPEG-1's rates are taken for rates within 0.01 %. */
export function isSameRate(a: FrameRate, b: FrameRate): boolean {
  return Math.abs((a.numerator * b.denominator) / (b.numerator * a.denominator) - 1) < 1e-4;
}
