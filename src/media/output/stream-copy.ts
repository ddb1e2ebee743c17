import { extname } from 'node:path';
import type { FrameRate } from '../../bitstream/tables/frame-rate.js';
import { OptionError } from '../../errors.js';
import { startFfmpeg } from '../ffmpeg.js';
import { type OutputOptions, prepareOutput } from './output-file.js';

/** Endings of files that ffmpeg makes from our stream without coding it again. */
export const COPY_EXTENSIONS: readonly string[] = ['.mp4', '.mkv', '.avi', '.mov'];

/**
 * The form of the stream, `.ts` or `.m1v`, from which the container that `output` names gets exact times. ffmpeg makes up
 * time stamps for an elementary stream: its first picture lasts twice as long (.mkv), or B pictures get those of their
 * coded order (.mp4, .mov). AVI stores none; there a transport stream doubles the rate and every second frame is empty.
 */
export function copySourceExtension(output: string): '.ts' | '.m1v' {
  return extname(output).toLowerCase() === '.avi' ? '.m1v' : '.ts';
}

/** What to copy, and where. */
export interface CopyJob extends OutputOptions {
  /** A transport stream `.ts`, an elementary stream `.m1v` or a system stream `.mpg`; see `copySourceExtension`. */
  readonly input: string;
  /** A path that ends in one of `COPY_EXTENSIONS`; it appears when it is complete. */
  readonly output: string;
  /** For the elementary stream; the others carry times. */
  readonly frameRate: FrameRate;
  /** An abort kills ffmpeg, leaves no output and rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * Puts an MPEG-1 video stream into another container, its bytes unchanged, by ffmpeg's stream copy. Throws an InputError
 * when ffmpeg fails or leaves out a picture, the errors of `OutputFile.open`, and UnsupportedError without ffmpeg.
 */
export async function copyIntoContainer({
  input,
  output,
  frameRate,
  signal,
  overwrite = false,
}: CopyJob): Promise<void> {
  if (!COPY_EXTENSIONS.includes(extname(output).toLowerCase())) {
    throw new OptionError('output', `output ${output}: a stream is copied into ${COPY_EXTENSIONS.join(', ')} only`);
  }
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
  const extension = extname(input).toLowerCase();
  if (extension === '.ts') return ['-f', 'mpegts'];
  // Matroska takes no picture without a time stamp.
  if (extension === '.mpg') return ['-fflags', '+genpts', '-f', 'mpeg'];
  const guessTimes = extname(output).toLowerCase() === '.mkv' ? ['-fflags', '+genpts'] : [];
  return [...guessTimes, '-f', 'mpegvideo', '-r', `${numerator}/${denominator}`];
}
