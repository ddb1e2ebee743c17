// Reads a video file: ffmpeg decodes it and pipes y4m.
import { realpath } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { FrameRate } from '../../bitstream/tables/frame-rate.js';
import { InputError, UnsupportedError } from '../../errors.js';
import type { Frame } from '../../picture/frame.js';
import { type FfmpegJob, type FfmpegRun, startFfmpeg } from '../ffmpeg.js';
import { findFfmpegs } from '../find-ffmpeg.js';
import { openInput, readFailure } from '../input-file.js';
import { DamagedInput } from './damaged-input.js';
import { limitFrames, skipFrames } from './frame-limit.js';
import type { FrameSource, FrameSourceOptions } from './frame-source.js';
import { MIN_SIGNATURE_BYTES, readVideoSignature, type VideoSignature } from './video-signature.js';
import { openY4mStream } from './y4m-reader.js';

/** ffmpeg makes no larger picture, which bounds its memory. Above MPEG-1's limit, whose check says what is legal. */
const MAX_DECODED_PELS = 1 << 26;

/**
 * Opens the first video stream of a file or pipe, decoded by ffmpeg to 8-bit 4:2:0. y4m has a constant frame rate: a
 * video of constant rate keeps its frames; in one of variable rate ffmpeg repeats or drops frames, and it keeps its
 * speed. Throws an InputError with ffmpeg's reason if nothing can be read. If ffmpeg finds a fault in the video, a
 * DamagedInput follows the last frame.
 */
export async function openVideoFile(path: string, options: FrameSourceOptions = {}): Promise<FrameSource> {
  const { stream: opened, fileBytes } = await openInput(path);
  const { head, stream } = await peek(path, opened);
  const signature = readVideoSignature(head, fileBytes);
  if (fileBytes === undefined) {
    const { frameRate, frames, start } = options;
    if (signature.isY4m) return limitFrames(skipFrames(await openY4mStream(path, stream, frameRate), start), frames);
    const { seconds: _, ...withoutSeeking } = start ?? { frame: 0 };
    return openAtStart({ stdin: stream }, path, signature, { ...options, start: withoutSeeking });
  }
  stream.destroy();
  // ffmpeg has other open files than this process: it must not look for /dev/fd/N among its own.
  const inputPath = /^\/(dev|proc)\//.test(path) ? await realpath(path) : path;
  return openAtStart({ inputPath }, path, signature, options);
}

/** Opens a video: at the time that the options name if it can be searched, else at its start. */
async function openAtStart(
  where: Pick<FfmpegJob, 'stdin' | 'inputPath'>,
  path: string,
  signature: VideoSignature,
  options: FrameSourceOptions,
): Promise<FrameSource> {
  const { frames, start } = options;
  const isSought = hasTimes(signature, options) && start?.seconds !== undefined;
  const skipped = isSought ? 0 : (start?.frame ?? 0);
  const { frames: _f, start: _s, ...common } = options;
  const reading: FrameSourceOptions = {
    ...common,
    ...(frames !== undefined && { frames: skipped + frames }),
    ...(isSought && { start }),
  };
  const job = { ...decodingJob(path, signature, reading), ...where };
  const open = where.stdin ? openDecoded : openWithAnyFfmpeg;
  const source = skipFrames(await open(job, signature, reading), { frame: skipped });
  return { ...source, seeksRoughly: where.stdin === undefined && hasTimes(signature, options) };
}

/**
 * Whether frames can be found by their times. An MPEG stream has none, or no index of them; and times mean nothing
 * where frames are repeated or dropped for another frame rate.
 */
function hasTimes({ demuxer }: VideoSignature, { frameRate }: FrameSourceOptions): boolean {
  return demuxer === undefined && frameRate === undefined;
}

/** Opens with the preferred ffmpeg; with the next one if that does not run or lacks something, such as a decoder. */
async function openWithAnyFfmpeg(
  job: FfmpegJob,
  signature: VideoSignature,
  options: FrameSourceOptions,
): Promise<FrameSource> {
  const [preferred, ...others] = await findFfmpegs();
  try {
    return await openDecoded({ ...job, ffmpeg: preferred.path }, signature, options);
  } catch (error) {
    const [other] = others;
    if (!(error instanceof LackingFfmpeg || error instanceof UnsupportedError) || !other) throw error;
    options.onWarning?.(`${error.message} (${preferred.path}); ${other.path} is used instead`);
    return openDecoded({ ...job, ffmpeg: other.path }, signature, options);
  }
}

/** How ffmpeg is to decode a video; without what tells ffmpeg where the bytes are. */
function decodingJob(
  path: string,
  signature: VideoSignature,
  { frameRate, frames, start }: FrameSourceOptions,
): FfmpegJob {
  const { demuxer } = signature;
  const seconds = start?.seconds;
  return {
    input: path,
    inputOptions: [
      ...(demuxer ? ['-f', demuxer] : []),
      ...['-max_pixels', String(MAX_DECODED_PELS)],
      ...(seconds === undefined ? [] : ['-ss', seconds.toFixed(6)]),
    ],
    outputOptions: [
      ...['-map', '0:v:0', '-pix_fmt', 'yuv420p', '-f', 'yuv4mpegpipe'],
      ...(isTimeless(signature) ? ['-vf', 'setpts=N/FR/TB'] : []), // time stamps by frame number
      ...(frameRate ? ['-r', `${frameRate.numerator}/${frameRate.denominator}`] : []),
      ...(frames === undefined ? [] : ['-frames:v', String(frames)]),
    ],
  };
}

/**
 * Whether the file is an MPEG video elementary stream. Such a file has no duration and no time stamps. ffmpeg invents
 * time stamps with a gap after the first picture, and would fill the gap by repeating that picture.
 */
function isTimeless({ demuxer }: VideoSignature): boolean {
  return demuxer === 'mpegvideo';
}

async function openDecoded(
  job: FfmpegJob,
  signature: VideoSignature,
  options: FrameSourceOptions,
): Promise<FrameSource> {
  const { signal, frames = Number.POSITIVE_INFINITY } = options;
  const run = await startFfmpeg(job);
  const stop = (): void => void run.stop();
  signal?.addEventListener('abort', stop);
  if (signal?.aborted) stop();
  try {
    const source = await openY4mStream(job.input, run.stdout);
    const description = isTimeless(signature) ? [] : await run.description;
    const expected = expectedFrames(description, source.frameRate);
    return {
      ...source,
      soundTracks: description.filter(line => /Stream #0:\d+.*?: Audio: /.test(line)).length,
      ...(expected !== undefined && { frameCount: Math.min(expected, frames) }),
      frames: signal => decodedFrames({ ...source, maxFrames: frames }, run, signature, signal),
      close: () => run.stop(),
    };
  } catch (error) {
    signal?.throwIfAborted();
    throw await ffmpegFailure(run, error);
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

async function* decodedFrames(
  source: FrameSource & { readonly maxFrames: number },
  run: FfmpegRun,
  { missing }: VideoSignature,
  signal?: AbortSignal,
): AsyncGenerator<Frame> {
  let frames = 0;
  try {
    for await (const frame of source.frames(signal)) {
      frames++;
      yield frame;
    }
    await run.done;
  } catch (error) {
    signal?.throwIfAborted();
    throw await ffmpegFailure(run, error, frames);
  } finally {
    await run.stop();
  }
  const damage = run.messages.damage ?? (frames < source.maxFrames ? missing : undefined);
  if (damage !== undefined) {
    throw new DamagedInput(`${source.name} is damaged or ends early: ${damage} (after ${pictures(frames)})`);
  }
}

/** The error to throw for one that the reader of ffmpeg's output met: if ffmpeg failed, that is the cause. */
async function ffmpegFailure(run: FfmpegRun, error: unknown, frames = 0): Promise<unknown> {
  const hasEnded = run.stdout.readableEnded;
  if (!hasEnded) await run.stop();
  const failure = hasEnded
    ? await run.done.then(
        () => undefined,
        (reason: Error) => reason,
      )
    : undefined;
  if (failure === undefined) return error;
  if (frames > 0) return new DamagedInput(`${failure.message} (after ${pictures(frames)})`, { cause: failure });
  return run.messages.tellsOfLack ? new LackingFfmpeg(failure.message, { cause: failure }) : failure;
}

/** An ffmpeg that lacks what a video needs, such as a decoder. */
class LackingFfmpeg extends InputError {}

function pictures(count: number): string {
  return `${count} picture${count === 1 ? '' : 's'}`;
}

/** The first bytes of a stream, enough for its signature, and a stream that gives all of its bytes. */
async function peek(name: string, stream: Readable): Promise<{ head: Uint8Array; stream: Readable }> {
  let head: Uint8Array = new Uint8Array(0);
  try {
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      head = Buffer.concat([head, chunk]);
      if (head.length < MIN_SIGNATURE_BYTES && !readVideoSignature(head, undefined).isY4m) continue;
      stream.unshift(head);
      return { head, stream };
    }
  } catch (error) {
    throw readFailure(name, error);
  }
  return { head, stream: Readable.from([head]) }; // it has ended
}

/** Number of frames, estimated from the duration that ffmpeg prints about its input; undefined if it prints none. */
function expectedFrames(description: readonly string[], rate: FrameRate | undefined): number | undefined {
  const match = /Duration: (\d+):(\d+):(\d+(?:\.\d+)?)/.exec(description.join('\n'));
  if (!match || !rate) return undefined;
  const seconds = 3600 * Number(match[1]) + 60 * Number(match[2]) + Number(match[3]);
  return Math.max(1, Math.round((seconds * rate.numerator) / rate.denominator));
}
