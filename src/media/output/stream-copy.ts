// Copies a video stream into .mp4, .mkv, .avi or .mov with ffmpeg, without coding it again.
import type { FrameRate } from '../../bitstream/tables/frame-rate.js';
import { copySourceExtension, extensionOf } from '../containers/container.js';
import { startFfmpeg } from '../ffmpeg.js';
import { type OutputOptions, prepareOutput } from './output-file.js';

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
export async function copyIntoContainer({
  input,
  output,
  frameRate,
  signal,
  overwrite = false,
}: CopyJob): Promise<void> {
  copySourceExtension(output); // throws for any other ending
  signal?.throwIfAborted();
  const place = await prepareOutput(output, { overwrite });
  const run = await startFfmpeg({
    input,
    inputOptions: inputOptions(input, output, frameRate),
    output: place.writePath,
    outputOptions: ['-map', '0:v:0', '-c', 'copy'],
  });
  const stop = (): void => void run.stop();
  signal?.addEventListener('abort', stop);
  try {
    if (signal?.aborted) stop();
    await run.done;
    run.throwErrors();
    signal?.throwIfAborted();
    await place.moveTo(output);
  } catch (error) {
    await place.remove();
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
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
