import { open } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import type { FrameRate } from '../../bitstream/tables/frame-rate.js';
import { InputError } from '../../errors.js';
import type { Frame } from '../../picture/frame.js';
import { type FfmpegJob, type FfmpegRun, startFfmpeg } from '../ffmpeg.js';
import type { FrameSource } from './open-frame-source.js';
import { openY4mStream } from './y4m-reader.js';

/** Bytes that may wait between ffmpeg and the reader; when they do, ffmpeg's pipe fills and it waits. */
const PIPE_BYTES = 1 << 20;
const SEQUENCE_HEADER_CODE = 0x000001b3;

/** How a video is to be read. */
export interface VideoOptions {
  /** Resample to this rate; by default the video's own. */
  readonly frameRate?: FrameRate;
  /** Decode no more frames than this. */
  readonly frames?: number;
}

/**
 * The first video stream of a file as a source, decoded by ffmpeg to 8-bit 4:2:0 through a y4m pipe. ffmpeg's rule for
 * that format makes the rate constant: material of constant rate comes through frame for frame, of variable rate frames are
 * repeated or dropped so that its speed stays. Throws an InputError with ffmpeg's reason when it cannot be read.
 */
export async function openVideoFile(path: string, { frameRate, frames }: VideoOptions = {}): Promise<FrameSource> {
  const timeless = await startsWithSequenceHeader(path);
  const pipe = new FfmpegPipe();
  const run = await pipe.start({
    input: path,
    output: pipe,
    outputOptions: [
      ...['-map', '0:v:0', '-pix_fmt', 'yuv420p', '-f', 'yuv4mpegpipe'],
      ...(timeless ? ['-vf', 'setpts=N/FR/TB'] : []),
      ...(frameRate ? ['-r', `${frameRate.numerator}/${frameRate.denominator}`] : []),
      ...(frames === undefined ? [] : ['-frames:v', String(frames)]),
    ],
  });
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
    await pipe.throwFailure();
    throw error;
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

/** The pipe from ffmpeg to the reader; ffmpeg lives no longer than it. */
class FfmpegPipe extends PassThrough {
  #run: FfmpegRun | undefined;
  #killed = false;

  constructor() {
    // Not destroyed by its end: fluent-ffmpeg takes a 'close' of its target before ffmpeg's exit for a failure.
    super({ highWaterMark: PIPE_BYTES, autoDestroy: false });
  }

  async start(job: FfmpegJob): Promise<FfmpegRun> {
    const run = await startFfmpeg(job);
    this.#run = run;
    // After a failure only: the end of ffmpeg's output ends the pipe, and may come after its exit where the reader is slow.
    run.done.catch(() => this.end());
    return run;
  }

  /** Throws ffmpeg's failure if it has ended, or is ending, with one. What we killed has not failed. */
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

  /** When ffmpeg's output has ended, it exits by itself and its status counts; otherwise it is killed. */
  async #settle(): Promise<void> {
    if (!this.writableEnded) this.#killed = true;
    if (this.#killed) await this.#run?.stop();
    else await this.#run?.done.catch(() => {});
  }
}

/**
 * Whether the file is an MPEG elementary stream; ISO/IEC 11172-2 §2.4.2.3. It has no time stamps, and those that ffmpeg makes
 * up have a gap after the first picture, which would be filled by showing it twice; nor does it tell its duration.
 */
async function startsWithSequenceHeader(path: string): Promise<boolean> {
  const file = await open(path).catch((error: Error) => {
    throw new InputError(`${path} cannot be read: ${error.message}`);
  });
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return bytesRead === 4 && buffer.readUInt32BE() === SEQUENCE_HEADER_CODE;
  } finally {
    await file.close();
  }
}

/** An estimate from the duration that ffmpeg prints about its input, in seconds, and the rate. */
function expectedFrames(description: readonly string[], rate: FrameRate | undefined): number | undefined {
  const match = /Duration: (\d+):(\d+):(\d+(?:\.\d+)?)/.exec(description.join('\n'));
  if (!match || !rate) return undefined;
  const seconds = 3600 * Number(match[1]) + 60 * Number(match[2]) + Number(match[3]);
  return Math.max(1, Math.round((seconds * rate.numerator) / rate.denominator));
}
