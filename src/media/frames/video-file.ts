// Reads a video file: ffmpeg decodes it and pipes y4m.
import { PassThrough } from 'node:stream';
import type { FrameRate } from '../../bitstream/tables/frame-rate.js';
import type { Frame } from '../../picture/frame.js';
import { startsWithSequenceHeader } from '../containers/elementary-stream.js';
import { type FfmpegJob, type FfmpegRun, startFfmpeg } from '../ffmpeg.js';
import { openInput } from '../input-file.js';
import type { FrameSource, FrameSourceOptions } from './frame-source.js';
import { openY4mStream } from './y4m-reader.js';

/** Bytes that may wait between ffmpeg and the reader. Beyond them ffmpeg's own pipe fills, and ffmpeg waits. */
const PIPE_BYTES = 1 << 20;

/**
 * Opens the first video stream of a file, decoded by ffmpeg to 8-bit 4:2:0. y4m has a constant frame rate: a video of
 * constant rate keeps its frames; in one of variable rate ffmpeg repeats or drops frames, and it keeps its speed.
 * Throws an InputError with ffmpeg's reason if the file cannot be read.
 */
export async function openVideoFile(
  path: string,
  { frameRate, frames, signal }: Pick<FrameSourceOptions, 'frameRate' | 'frames' | 'signal'> = {},
): Promise<FrameSource> {
  const timeless = await isElementaryStream(path);
  const pipe = new FfmpegPipe();
  const run = await pipe.start({
    input: path,
    output: pipe,
    outputOptions: [
      ...['-map', '0:v:0', '-pix_fmt', 'yuv420p', '-f', 'yuv4mpegpipe'],
      ...(timeless ? ['-vf', 'setpts=N/FR/TB'] : []), // time stamps by frame number
      ...(frameRate ? ['-r', `${frameRate.numerator}/${frameRate.denominator}`] : []),
      ...(frames === undefined ? [] : ['-frames:v', String(frames)]),
    ],
  });
  const close = (): void => void pipe.close();
  signal?.addEventListener('abort', close);
  if (signal?.aborted) close();
  try {
    const source = await openY4mStream(path, pipe);
    const frameCount = timeless ? undefined : expectedFrames(await run.description, source.frameRate);
    return {
      ...source,
      ...(frameCount !== undefined && { frameCount }),
      frames: signal => decodedFrames(source, pipe, signal),
      close: () => pipe.close(),
    };
  } catch (error) {
    await pipe.close();
    signal?.throwIfAborted();
    await pipe.throwFailure();
    throw error;
  } finally {
    signal?.removeEventListener('abort', close);
  }
}

async function* decodedFrames(source: FrameSource, pipe: FfmpegPipe, signal?: AbortSignal): AsyncGenerator<Frame> {
  try {
    yield* source.frames(signal) as AsyncIterable<Frame>;
    await pipe.throwFailure();
  } catch (error) {
    signal?.throwIfAborted();
    await pipe.throwFailure();
    throw error;
  } finally {
    await pipe.close();
  }
}

/** The pipe from ffmpeg to the reader. When it is destroyed, ffmpeg ends, too. */
class FfmpegPipe extends PassThrough {
  #run: FfmpegRun | undefined;
  #killed = false;

  constructor() {
    // Its end must not destroy it: fluent-ffmpeg takes a 'close' of its target before ffmpeg's exit for a failure.
    super({ highWaterMark: PIPE_BYTES, autoDestroy: false });
  }

  async start(job: FfmpegJob): Promise<FfmpegRun> {
    const run = await startFfmpeg(job);
    this.#run = run;
    // Only after a failure: otherwise the end of ffmpeg's output ends the pipe, with a slow reader after ffmpeg's exit.
    run.done.catch(() => this.end());
    return run;
  }

  /** Throws ffmpeg's failure, if it has ended or is ending with one. An ffmpeg that was killed here has not failed. */
  async throwFailure(): Promise<void> {
    if (this.writableEnded && !this.#killed) await this.#run?.done;
  }

  async close(): Promise<void> {
    this.destroy();
    await this.#settle();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#settle().then(() => callback(error));
  }

  /** If ffmpeg's output has ended, ffmpeg exits by itself and its status counts. Otherwise it is killed. */
  async #settle(): Promise<void> {
    if (!this.writableEnded) this.#killed = true;
    if (this.#killed) await this.#run?.stop();
    else await this.#run?.done.catch(() => {});
  }
}

/**
 * Whether the file is an MPEG video elementary stream. Such a file has no duration and no time stamps. ffmpeg invents
 * time stamps with a gap after the first picture, and would fill the gap by repeating that picture.
 */
async function isElementaryStream(path: string): Promise<boolean> {
  const file = await openInput(path);
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(4), 0, 4, 0);
    return startsWithSequenceHeader(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

/** Number of frames, estimated from the duration that ffmpeg prints about its input; undefined if it prints none. */
function expectedFrames(description: readonly string[], rate: FrameRate | undefined): number | undefined {
  const match = /Duration: (\d+):(\d+):(\d+(?:\.\d+)?)/.exec(description.join('\n'));
  if (!match || !rate) return undefined;
  const seconds = 3600 * Number(match[1]) + 60 * Number(match[2]) + Number(match[3]);
  return Math.max(1, Math.round((seconds * rate.numerator) / rate.denominator));
}
