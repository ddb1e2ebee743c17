// The frames that a run reads: how they are opened, at which rate, and until when.

import { FRAME_RATE_NAMES, FRAME_RATES, type FrameRate, pictureRateCode } from '../bitstream/tables/frame-rate.js';
import { counted } from '../counted.js';
import type { EncoderOptions } from '../encoder/options.js';
import { InputError } from '../errors.js';
import type { PictureOptions } from '../media/filters/picture-options.js';
import { DamagedInput } from '../media/frames/damaged-input.js';
import type { FrameSource, FrameSourceOptions } from '../media/frames/frame-source.js';
import { openFrameSource } from '../media/frames/open-frame-source.js';
import { needsGpu } from '../motion/built-in-estimators.js';
import { askDriversBefore } from '../motion/threads/early-drivers.js';
import type { Frame, FrameMemory } from '../picture/frame.js';
import type { ThreadKeeper } from '../threads/thread-messages.js';
import { Interrupted, type Stops, StrictFailure } from './stops.js';

/** Frames per second of an input without a rate (images, raw video). */
const DEFAULT_FRAME_RATE: FrameRate = { numerator: 25, denominator: 1 };
/** Ctrl-C ends ffmpeg, too. Its failure may reach us this much earlier than our own signal. Not measured. */
const SIGNAL_DELAY_MS = 50;

/**
 * Opens the input. The first interruption ends the wait for it, such as one for the header on standard input, and
 * throws Interrupted; the second one ends what reads it.
 */
export async function openInput(input: string, options: FrameSourceOptions, interruption: Stops): Promise<FrameSource> {
  try {
    const source = await openFrameSource(input, { ...options, signal: interruption.stop });
    interruption.abort.addEventListener('abort', () => void source.close());
    return options.damage === 'error' ? { ...source, frames: (...given) => strictFrames(source, ...given) } : source;
  } catch (error) {
    if (options.damage === 'error' && error instanceof DamagedInput) throw new StrictFailure(error);
    if (/ffmpeg/.test((error as Error).message)) await signalOfTerminal(interruption.stop);
    if (!interruption.stop.aborted) throw error;
    throw new Interrupted('interrupted while the input was opened: nothing was kept', { cause: error });
  }
}

/**
 * Asks the graphics drivers while the input is opened, if it is known that threads search on a GPU: one thread asks by
 * itself, and `auto` takes one for little work. Call what is returned when the encode is over.
 */
export function askDriversMeanwhile({
  estimator = 'auto',
  threads,
  keptThreads,
}: Pick<EncoderOptions, 'estimator' | 'threads' | 'keptThreads'>): () => void {
  const isKnown = threads === undefined ? needsGpu(String(estimator)) : threads > 1;
  if (typeof estimator !== 'string' || !isKnown) return () => {};
  return askDriversBefore(estimator, (keptThreads?.keeper as ThreadKeeper | undefined)?.texts);
}

/** The frames; damage ends them with a StrictFailure. */
async function* strictFrames(source: FrameSource, ...given: Parameters<FrameSource['frames']>): AsyncGenerator<Frame> {
  try {
    yield* source.frames(...given) as AsyncIterable<Frame>;
  } catch (error) {
    throw error instanceof DamagedInput ? new StrictFailure(error) : error;
  }
}

/** How an input is read, as plain data: what a plan keeps of it, and what a farm is asked for. */
export interface InputReading {
  /** Size of raw video. */
  readonly size?: { readonly width: number; readonly height: number } | undefined;
  /** Replaces the input's frame rate. */
  readonly frameRate?: FrameRate | undefined;
  /** How its pictures are changed. */
  readonly pictures?: PictureOptions | undefined;
}

/** The options by which an input is read so; damage is a warning. */
export function readingOptions(
  { size, frameRate, pictures }: InputReading,
  onWarning: (message: string) => void,
): FrameSourceOptions {
  return { size, frameRate, ...pictures, damage: 'warn', onWarning };
}

/** The frame rate of MPEG-1 that the source has. Throws an InputError if the source has another rate. */
export function streamRate({
  name,
  frameRate = DEFAULT_FRAME_RATE,
}: {
  readonly name: string;
  readonly frameRate?: FrameRate | undefined;
}): FrameRate {
  const code = pictureRateCode(frameRate);
  if (code !== undefined) return FRAME_RATES[code - 1]!;
  const fps = Number((frameRate.numerator / frameRate.denominator).toFixed(3));
  throw new InputError(
    named =>
      `${name} has ${counted(fps, 'frame')} per second, which MPEG-1 does not have: choose one with ${named('frameRate')}; legal: ${FRAME_RATE_NAMES}`,
  );
}

/**
 * The frames of a source. They end early, without an error, once `stop` is aborted. An abort of `failure` ends them
 * with its reason, even while the source waits for input. `memory`: see `FrameSource`.
 */
export async function* framesUntilStopped(
  source: FrameSource,
  stop: AbortSignal,
  failure?: AbortSignal,
  memory?: FrameMemory,
): AsyncGenerator<Frame> {
  try {
    yield* source.frames(failure ? AbortSignal.any([stop, failure]) : stop, memory) as AsyncIterable<Frame>;
  } catch (error) {
    await signalOfTerminal(stop);
    if (!stop.aborted) throw error;
  }
}

/** Waits a moment for the signal that may have ended ffmpeg. */
export async function signalOfTerminal(stop: Pick<AbortSignal, 'aborted'>): Promise<void> {
  if (!stop.aborted) await new Promise(resolve => setTimeout(resolve, SIGNAL_DELAY_MS));
}
