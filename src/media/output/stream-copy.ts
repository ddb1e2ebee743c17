// Copies a video stream into .mp4, .mkv, .avi or .mov with ffmpeg, without coding it again.
import { open } from 'node:fs/promises';
import type { FrameRate } from '../../bitstream/tables/frame-rate.js';
import { InputError, UnsupportedError } from '../../errors.js';
import { copySourceExtension, extensionOf } from '../containers/container.js';
import { startFfmpeg } from '../ffmpeg.js';
import { type OutputOptions, OutputPlace } from './output-place.js';
import { publish } from './publish.js';

/** What to copy, and where. */
export interface CopyJob extends OutputOptions {
  /** A transport stream `.ts`, an elementary stream `.m1v` or a system stream `.mpg`; see `copySourceExtension`. */
  readonly input: string;
  /** A path that ends in one of `COPY_EXTENSIONS`. The file appears when it is complete. */
  readonly output: string;
  /** Of an elementary stream; the others carry times. */
  readonly frameRate: FrameRate;
  /** An abort kills ffmpeg and leaves no output; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * Copies an MPEG-1 video stream into another container, its bytes unchanged. Throws an InputError if ffmpeg fails or
 * leaves out a picture, an OptionError for another ending, the errors of `OutputFile.open`, and an UnsupportedError if
 * there is no ffmpeg.
 */
export async function copyIntoContainer({ input, output, frameRate, ...options }: CopyJob): Promise<void> {
  copySourceExtension(output); // throws for any other ending
  options.signal?.throwIfAborted();
  const place = await OutputPlace.prepare(output, options);
  try {
    await copyStream(input, place, frameRate);
    publish([place]);
  } finally {
    place.remove();
  }
}

/** Copies the stream to the hidden file of `place` and makes it last. Throws the errors of `copyIntoContainer`. */
export async function copyStream(input: string, place: OutputPlace, frameRate: FrameRate): Promise<void> {
  const { signal } = place.options;
  try {
    const hasEnded = await runCopy(input, place, frameRate);
    // The first Ctrl-C asks us to complete the output, but the terminal has ended ffmpeg with it: once more, then.
    if (!hasEnded && !(await runCopy(input, place, frameRate)))
      throw new InputError(`${input}: ffmpeg was interrupted`);
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof InputError)) throw error;
    throw new InputError(place.withoutHiddenNames(error.message), { cause: error });
  }
  const file = await open(place.writePath, 'r+');
  await file.sync().finally(() => file.close());
}

/** Returns false if a signal from outside has ended ffmpeg. */
async function runCopy(input: string, place: OutputPlace, frameRate: FrameRate): Promise<boolean> {
  const { signal } = place.options;
  const run = await startFfmpeg({
    input,
    inputOptions: inputOptions(input, place.path, frameRate),
    output: place.writePath,
    outputOptions: ['-map', '0:v:0', '-c', 'copy', '-y'], // -y: the hidden file is there already
  });
  const stop = (): void => void run.stop();
  signal?.addEventListener('abort', stop);
  try {
    if (signal?.aborted) stop();
    await run.done;
    run.throwErrors();
    signal?.throwIfAborted();
    return true;
  } catch (error) {
    signal?.throwIfAborted();
    const { message } = error as Error;
    const isInterrupted =
      error instanceof UnsupportedError || // ended before it began
      /ffmpeg failed: SIG(INT|TERM|HUP)$/.test(message) ||
      run.messages.lines.some(line => line.includes('received signal'));
    if (!isInterrupted) throw error;
    return false;
  } finally {
    signal?.removeEventListener('abort', stop);
    // What it has made after the abort.
    if (signal?.aborted) place.remove();
  }
}

function inputOptions(input: string, output: string, { numerator, denominator }: FrameRate): string[] {
  const extension = extensionOf(input);
  if (extension === '.ts') return ['-f', 'mpegts'];
  // Matroska needs a time stamp for every picture: ffmpeg generates those that are missing.
  if (extension === '.mpg') return ['-fflags', '+genpts', '-f', 'mpeg'];
  const generateTimes = extensionOf(output) === '.mkv' ? ['-fflags', '+genpts'] : [];
  return [...generateTimes, '-f', 'mpegvideo', '-r', `${numerator}/${denominator}`];
}
