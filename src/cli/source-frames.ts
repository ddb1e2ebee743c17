import { FRAME_RATE_NAMES, FRAME_RATES, type FrameRate, pictureRateCode } from '../bitstream/tables/frame-rate.js';
import { InputError } from '../errors.js';
import type { FrameSource } from '../media/frames/frame-source.js';
import type { Frame } from '../picture/frame.js';

/** Frames per second of an input that carries no rate (images, raw video). */
const DEFAULT_FRAME_RATE: FrameRate = { numerator: 25, denominator: 1 };
/** A Ctrl-C reaches our ffmpeg too: its failure may be seen so much earlier than our own signal, in milliseconds. */
const SIGNAL_DELAY_MS = 50;

/** The source's rate as MPEG-1 has it. Throws an InputError where it does not. */
export function streamRate({ name, frameRate = DEFAULT_FRAME_RATE }: FrameSource): FrameRate {
  const code = pictureRateCode(frameRate);
  if (code !== undefined) return FRAME_RATES[code - 1]!;
  const fps = Number((frameRate.numerator / frameRate.denominator).toFixed(3));
  throw new InputError(
    `${name} has ${fps} frames per second, which MPEG-1 does not have: choose one with --fps; legal: ${FRAME_RATE_NAMES}`,
  );
}

/**
 * The frames of a source, which end early, and without an error, once `stop` is aborted. An abort of `failure` ends them
 * with its reason, also while the source waits for input.
 */
export async function* framesUntilStopped(
  source: FrameSource,
  stop: AbortSignal,
  failure?: AbortSignal,
): AsyncGenerator<Frame> {
  try {
    yield* source.frames(failure ? AbortSignal.any([stop, failure]) : stop) as AsyncIterable<Frame>;
  } catch (error) {
    if (!stop.aborted) await new Promise(resolve => setTimeout(resolve, SIGNAL_DELAY_MS));
    if (!stop.aborted) throw error;
  }
}
