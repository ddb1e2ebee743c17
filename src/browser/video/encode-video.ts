// The one call of a page: what it has becomes a video file.
import { meanBitRate } from '../../bitstream/tables/frame-rate.js';
import { Encoder } from '../../encoder/encoder.js';
import type { EncoderOptions } from '../../encoder/options.js';
import { createContainerWriter } from '../../media/containers/video-container.js';
import { untilAborted } from '../../threads/time-limit.js';
import { WorkerEncoder } from '../encoder/worker-encoder.js';
import { openFrames, type SourceFrames } from '../sources/open-frames.js';
import type { VideoSource } from '../sources/video-source.js';
import { type EncodeVideoOptions, type VideoJob, videoJob } from './encode-video-options.js';
import { EncodedVideo, type EncodedVideoSummary, type FileBytes } from './encoded-video.js';

/**
 * Encodes a source in a worker to the bytes of a file:
 *
 *     const blob = await encodeVideo(files, { format: 'mpg', quality: 60 }).blob();
 *     await encodeVideo(cameraTrack, { format: 'ts', bitrate: 1_000_000 }).saveTo(fileHandle);
 *
 * Throws OptionError for a wrong option. What else goes wrong fails the stream, and rejects `finished` and whoever
 * waits: with OptionError for `scale`, `background`, `convert`, `frames` and the name of an estimator, with InputError
 * for a source that cannot be read, with the reason of an abort. A live track ends with its `stop`; what came before is
 * completed. With an estimator that is a function, the page itself encodes.
 */
export function encodeVideo(source: VideoSource, options: EncodeVideoOptions = {}): EncodedVideo {
  const job = videoJob(options);
  const { signal } = job;
  const failure = new AbortController();
  const onAbort = (): void => failure.abort(signal?.reason);
  const parts = new VideoEncode(source, job, failure).parts();
  let settle: { resolve(summary: EncodedVideoSummary): void; reject(reason: unknown): void } | undefined;
  const finished = new Promise<EncodedVideoSummary>((resolve, reject) => {
    settle = { resolve, reject };
  });
  finished.catch(() => {}); // the stream fails with the same reason
  const leave = () => parts.return(undefined as never).catch(() => {});
  let hasBegun = false;
  const stream = new ReadableStream<FileBytes>(
    {
      start(controller) {
        // Not only the next read fails: nobody may be reading.
        failure.signal.addEventListener('abort', async () => {
          signal?.removeEventListener('abort', onAbort);
          await leave();
          settle!.reject(failure.signal.reason);
          controller.error(failure.signal.reason);
        });
        signal?.addEventListener('abort', onAbort);
        if (signal?.aborted) onAbort();
      },
      async pull(controller) {
        hasBegun = true;
        try {
          const { value, done } = await parts.next();
          if (failure.signal.aborted) return;
          if (!done) return controller.enqueue(value);
          controller.close();
          signal?.removeEventListener('abort', onAbort);
          settle!.resolve(value);
        } catch (error) {
          failure.abort(error);
        }
      },
      async cancel(reason: unknown) {
        failure.abort(reason ?? new DOMException('the stream was cancelled', 'AbortError'));
        await leave();
      },
    },
    // Nothing is done before it is asked for.
    { highWaterMark: 0 },
  );
  return new EncodedVideo(job.format, stream, finished, () => hasBegun);
}

/** One encode. */
class VideoEncode {
  readonly #warnings = new Set<string>();

  /** `failure` ends it. */
  constructor(
    private readonly source: VideoSource,
    private readonly job: VideoJob,
    private readonly failure: AbortController,
  ) {}

  /** The parts of the file. */
  async *parts(): AsyncGenerator<FileBytes, EncodedVideoSummary, undefined> {
    const { failure, job } = this;
    const start = performance.now();
    let frames: SourceFrames | undefined;
    let encoder: Encoder | WorkerEncoder | undefined;
    try {
      frames = await openFrames(this.source, { ...job.frames, signal: failure.signal });
      encoder = this.#encoderFor(frames);
      const bytes = yield* this.#write(frames, encoder);
      return this.#summary(frames, encoder, { bytes, seconds: (performance.now() - start) / 1000 });
    } catch (error) {
      failure.abort(error);
      throw error;
    } finally {
      await frames?.close();
      await encoder?.finish().catch(() => {}); // after a failure, which the stream has thrown
    }
  }

  #encoderFor({ width, height, frameRate, frameCount }: SourceFrames): Encoder | WorkerEncoder {
    const { onWarning } = this.job.encoder;
    const options: EncoderOptions = {
      ...this.job.encoder,
      ...{ width, height, frameRate, signal: this.failure.signal },
      ...(frameCount !== undefined && { expectedFrames: frameCount }),
      onWarning: message => {
        if (this.#warnings.has(message)) return;
        this.#warnings.add(message);
        return onWarning?.(message);
      },
    };
    return needsThisThread(options) ? new Encoder(options) : new WorkerEncoder(options);
  }

  /** Writes what the encoder gives, beside the adding of frames. Returns the bytes of the file. */
  async *#write(frames: SourceFrames, encoder: Encoder | WorkerEncoder): AsyncGenerator<FileBytes, number, undefined> {
    const { format, encoder: given } = this.job;
    const { width, height, frameRate, frameCount } = frames;
    const layout = given.target === 'vcd' ? ({ layout: 'video-cd' } as const) : {};
    const writer = createContainerWriter(format, { width, height, frameRate, ...layout });
    const adding = addAll(frames, encoder);
    adding.catch(error => this.failure.abort(error));
    let bytes = 0;
    let done = 0;
    for await (const unit of encoder) {
      await this.#onProgress(++done, frameCount);
      for (const part of writer.write(unit)) {
        bytes += part.length;
        yield part as FileBytes;
      }
    }
    await adding;
    for (const part of writer.end()) {
      bytes += part.length;
      yield part as FileBytes;
    }
    return bytes;
  }

  /** Calls `onProgress`, and waits for it until the encode fails. */
  async #onProgress(frames: number, expectedFrames: number | undefined): Promise<void> {
    const { signal } = this.failure;
    signal.throwIfAborted();
    // Not called at once: it may itself end the encode, and wait for that.
    const call = Promise.resolve().then(() => this.job.onProgress?.(frames, expectedFrames));
    await untilAborted(call, signal);
  }

  #summary(
    { width, height, frameRate, counts }: SourceFrames,
    { statistics }: Encoder | WorkerEncoder,
    made: { readonly bytes: number; readonly seconds: number },
  ): EncodedVideoSummary {
    const { frames, bits, psnr } = statistics;
    return {
      ...made,
      ...{ frames, width, height, frameRate, bits, psnr, statistics, source: counts },
      bitRate: meanBitRate(bits, frames, frameRate),
      warnings: [...this.#warnings],
    };
  }
}

async function addAll(frames: SourceFrames, encoder: Encoder | WorkerEncoder): Promise<void> {
  for await (const frame of frames) await encoder.add(frame);
  await encoder.finish();
}

/** A function cannot be sent to a worker, and some places have none. */
function needsThisThread({ estimator }: EncoderOptions): boolean {
  return typeof estimator === 'function' || typeof Worker === 'undefined';
}
