// The one call: encodes an input to a file, as `mpegpu encode` does.
import { stat } from 'node:fs/promises';
import { meanBitRate } from '../bitstream/tables/frame-rate.js';
import type { EncodeSummary } from '../encoder/report/encode-summary.js';
import { InputError } from '../errors.js';
import { type EncodeFilesOptions, jobFor } from './encode-files-options.js';
import { runEncode } from './encode-run.js';
import type { SoundEntry } from './encode-sound.js';
import { StrictFailure } from './stops.js';

/** What came of an encode. */
export interface EncodedFiles extends EncodeSummary {
  /** The video's file. */
  readonly output: string;
  /** Its size in bytes, with its container and its sound; of a device or pipe 0. */
  readonly bytes: number;
  /** From the opening of the input to the finished output. */
  readonly seconds: number;
  /** The sound; undefined without one, and `soundNote` says why. */
  readonly sound: SoundEntry | undefined;
  readonly soundNote: string | undefined;
}

/**
 * Encodes `input` to the file `output`, whose ending chooses the container. The input is whatever `mpegpu encode`
 * takes: a folder of images, an image, a printf or glob pattern, a video, `.y4m`, `.yuv`, or `-` (y4m from the option
 * `stdin`). Its sound comes along if the container has a place for it. The files appear when all of them are complete,
 * and none is left after a failure or an abort; of an input that ends early, what could be read is kept as
 * `<output>.partial`, and so is a whole output whose name is taken meanwhile. Rejects with an OptionError or InputError
 * that says what would be right, with an OutputError, and with the reason of the option `signal` once that is aborted.
 */
export async function encodeFiles(
  input: string,
  output: string,
  options: EncodeFilesOptions = {},
): Promise<EncodedFiles> {
  // A signal of its own: the caller's may outlive many encodes, and nothing of this one is to stay with it.
  const giveUp = new AbortController();
  /** A promise of a callback is not waited for. If it rejects, so does the encode. */
  const watch = (result: unknown): void => {
    Promise.resolve(result).catch(error => giveUp.abort(error));
  };
  const warnings = new Set<string>();
  const job = await jobFor(input, output, options, {
    onWarning: message => {
      if (warnings.has(message)) return;
      warnings.add(message);
      watch(options.onWarning?.(message));
    },
    onProgress: (...progress) => watch(options.onProgress?.(...progress)),
  });
  const { signal } = options;
  signal?.throwIfAborted();
  const onAbort = (): void => giveUp.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort);
  // An abort gives everything up; nothing asks to keep a part.
  const result = await runEncode(job, { stop: giveUp.signal, abort: giveUp.signal })
    .catch(error => {
      giveUp.signal.throwIfAborted();
      if (!(error instanceof StrictFailure)) throw error;
      throw new InputError(`${error.message}: nothing was kept`, { cause: error.cause });
    })
    .finally(() => signal?.removeEventListener('abort', onAbort));
  const { statistics, frameRate, width, height, seconds, audio, audioNote } = result;
  const { frames, bits, psnr } = statistics;
  return {
    output,
    bytes: (await stat(output)).size,
    ...{ frames, width, height, frameRate, bits, psnr, seconds, statistics },
    bitRate: meanBitRate(bits, frames, frameRate),
    sound: audio ?? undefined,
    soundNote: audioNote ?? undefined,
    warnings: [...warnings],
  };
}
