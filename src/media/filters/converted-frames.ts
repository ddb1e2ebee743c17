// Sends frames through ffmpeg's filters: for inputs that ffmpeg does not decode.
import { Readable } from 'node:stream';
import { startFfmpeg } from '../ffmpeg.js';
import type { FrameSource, FrameSourceOptions } from '../frames/frame-source.js';
import { formatY4mHeader, Y4M_FRAME } from '../frames/y4m/y4m-header.js';
import { openConvertedY4m } from '../frames/y4m/y4m-reader.js';
import { MAX_CONVERTED_PELS } from '../picture-size.js';
import { filterChain } from './filter-chain.js';
import { checkCrop, type PictureOptions } from './picture-options.js';

/** Frames, and what is to be done to them. */
export interface Conversion {
  /** What they come from; its own frames are not read. */
  readonly source: FrameSource;
  /** The header line of y4m that is right for them. */
  readonly header: string;
  /** The planes of each frame, as y4m has them. */
  rawFrames(): AsyncIterable<Uint8Array>;
  /** ffmpeg's filters; undefined: only the pixel format is changed. */
  readonly chain: string | undefined;
}

/**
 * A source of the frames after ffmpeg's filters, as 8-bit 4:2:0. It has the name, the rate and the number of frames of
 * the source. An error of the source, a DamagedInput for example, follows the frames before it.
 */
export async function convertFrames(
  { source, header, rawFrames, chain }: Conversion,
  { signal }: Pick<FrameSourceOptions, 'signal'>,
): Promise<FrameSource> {
  const feeding = feed(header, rawFrames());
  const run = await startFfmpeg({
    input: source.name,
    stdin: feeding.stream,
    inputOptions: ['-f', 'yuv4mpegpipe', '-max_pixels', String(MAX_CONVERTED_PELS)],
    outputOptions: [...(chain === undefined ? [] : ['-vf', chain]), ...Y4M_OUTPUT],
  });
  const stop = async (): Promise<void> => {
    feeding.stream.destroy();
    await source.close();
    await run.stop();
  };
  const onAbort = (): void => void stop();
  signal?.addEventListener('abort', onAbort);
  if (signal?.aborted) onAbort();
  try {
    const converted = await openConvertedY4m(source.name, run.stdout);
    const { width, height, pelAspect } = converted;
    const { pelAspect: _, ...others } = source;
    return {
      ...others,
      width,
      height,
      ...(pelAspect && { pelAspect }),
      close: stop,
      async *frames(signal, memory) {
        try {
          yield* converted.frames(signal, memory);
          feeding.throwError();
          await run.done;
        } catch (error) {
          signal?.throwIfAborted();
          feeding.throwError();
          throw error;
        } finally {
          await stop();
        }
      },
    };
  } catch (error) {
    signal?.throwIfAborted();
    const failure = await run.done.then(
      () => undefined,
      (reason: Error) => reason,
    );
    await stop();
    feeding.throwError();
    throw failure ?? error;
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}

/** Frames of 4:2:0 after the changes that the options ask for; the same source if they ask for none. */
export async function changedFrames(
  source: FrameSource,
  options: PictureOptions & Pick<FrameSourceOptions, 'signal'>,
): Promise<FrameSource> {
  const chain = filterChain(options);
  if (chain === undefined) return source;
  const { width, height, frameRate = ANY_RATE, pelAspect = UNKNOWN_SHAPE } = source;
  checkCrop(source.name, options.crop, width, height);
  async function* rawFrames(): AsyncGenerator<Uint8Array> {
    for await (const { y, u, v } of source.frames()) yield Buffer.concat([y, u, v]);
  }
  const header = formatY4mHeader({ width, height, frameRate, pelAspect });
  return convertFrames({ source, header, rawFrames, chain }, options);
}

/** y4m's header must have a rate; the source's own is what counts. */
const ANY_RATE = { numerator: 25, denominator: 1 };
const UNKNOWN_SHAPE = { width: 0, height: 0 };
const FRAME_LINE = Buffer.from(`${Y4M_FRAME}\n`);
/** What ffmpeg is to write for us. */
export const Y4M_OUTPUT: readonly string[] = ['-pix_fmt', 'yuv420p', '-f', 'yuv4mpegpipe'];

/** A stream of y4m, made as fast as it is read. It ends at an error of the frames, which is kept. */
function feed(header: string, frames: AsyncIterable<Uint8Array>): { stream: Readable; throwError(): void } {
  let failure: unknown;
  async function* bytes(): AsyncGenerator<Uint8Array> {
    try {
      yield Buffer.from(`${header}\n`, 'latin1');
      for await (const planes of frames) {
        yield FRAME_LINE;
        yield planes;
      }
    } catch (error) {
      failure = error;
    }
  }
  return {
    stream: Readable.from(bytes()),
    throwError: () => {
      if (failure !== undefined) throw failure;
    },
  };
}
