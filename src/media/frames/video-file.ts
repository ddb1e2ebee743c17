// Reads a video file: ffmpeg decodes it and pipes y4m.

import type { Readable } from 'node:stream';
import type { FrameRate } from '../../bitstream/tables/frame-rate.js';
import { counted } from '../../counted.js';
import { InputError } from '../../errors.js';
import type { Frame, FrameMemory } from '../../picture/frame.js';
import { FfmpegFailure, type FfmpegJob, type FfmpegRun, LackingFfmpeg, startFfmpeg, withAnyFfmpeg } from '../ffmpeg.js';
import { Y4M_OUTPUT } from '../filters/converted-frames.js';
import { cropRefusal, filterChain, matrixRefusal, tellsOfCrop } from '../filters/filter-chain.js';
import { sizesWarning, videoWarnings } from '../filters/input-warnings.js';
import { readStreamFacts, type StreamFacts } from '../filters/stream-facts.js';
import { MAX_CONVERTED_PELS } from '../picture-size.js';
import { lookInto, type VideoInput } from '../video-input.js';
import { DamagedInput } from './damaged-input.js';
import { limitFrames, skipFrames } from './frame-limit.js';
import type { FrameSource, FrameSourceOptions } from './frame-source.js';
import type { VideoSignature } from './video-signature.js';
import { openConvertedY4m } from './y4m/y4m-reader.js';
import { openY4mFile, openY4mStream } from './y4m/y4m-source.js';

/** What ffmpeg writes of a video, and how it is read. */
export interface DecodedForm<Picture> {
  /** ffmpeg's options for its output. */
  readonly outputOptions: readonly string[];
  /** Whether its pictures have the matrix of the video. */
  readonly keepsMatrix: boolean;
  /** Opens what the run writes; size and rate are those of the pictures. */
  open(name: string, run: FfmpegRun): Promise<FrameSource<Picture>>;
}

const AS_Y4M: DecodedForm<Frame> = {
  outputOptions: Y4M_OUTPUT,
  keepsMatrix: true,
  open: (name, run) => openConvertedY4m(name, run.stdout),
};

/**
 * Opens the first video stream of a file or pipe, decoded by ffmpeg to 8-bit 4:2:0. y4m has a constant frame rate: a
 * video of constant rate keeps its frames; in one of variable rate ffmpeg repeats or drops frames, and it keeps its
 * speed. Throws an InputError with ffmpeg's reason if nothing can be read. If ffmpeg finds faults in the video, or
 * fewer pictures than its header says, that is told as the option `damage` says.
 */
export async function openVideoFile(path: string, options: FrameSourceOptions = {}): Promise<FrameSource> {
  const video = await lookInto(path, options.signal);
  const { signature, stream } = video;
  if (!signature.isY4m) return openAtStart(video, AS_Y4M, options);
  const { frames, start } = options;
  if (stream) return limitFrames(skipFrames(await openY4mStream(path, stream, options), start), frames);
  return limitFrames(await openY4mFile(path, options), frames);
}

/** As {@link openVideoFile}, but the pictures come in another form; y4m, too, goes through ffmpeg. */
export async function openVideoAs<Picture>(
  form: DecodedForm<Picture>,
  path: string,
  options: FrameSourceOptions,
): Promise<FrameSource<Picture>> {
  return openAtStart(await lookInto(path, options.signal), form, options);
}

/** Opens a video: at the time that the options name if it can be searched, else at its start. */
async function openAtStart<Picture>(
  { path, signature, stream }: VideoInput,
  form: DecodedForm<Picture>,
  { start, frames, ...others }: FrameSourceOptions,
): Promise<FrameSource<Picture>> {
  const canBeSearched = !stream && hasTimes(signature, others);
  const isSought = canBeSearched && start?.seconds !== undefined;
  const skipped = isSought ? 0 : (start?.frame ?? 0);
  const options: FrameSourceOptions = {
    ...others,
    ...(frames !== undefined && { frames: skipped + frames }),
    ...(isSought && { start }),
  };
  const decoding = { path, signature, form, options, ...(stream && { stdin: stream }) };
  const opening = stream
    ? openDecoded(decoding)
    : withAnyFfmpeg(ffmpeg => openDecoded({ ...decoding, ffmpeg }), options.onWarning);
  const source = skipFrames(await opening, { frame: skipped });
  return { ...source, seeksRoughly: canBeSearched };
}

/**
 * Whether frames can be found by their times. An MPEG stream has none, or no index of them; and times mean nothing
 * where frames are repeated or dropped for another frame rate.
 */
function hasTimes({ demuxer }: VideoSignature, { frameRate }: FrameSourceOptions): boolean {
  return demuxer === undefined && frameRate === undefined;
}

/** A video that is to be decoded. */
interface Decoding<Picture> {
  readonly path: string;
  /** The bytes of a pipe; undefined for a file. */
  readonly stdin?: Readable;
  readonly signature: VideoSignature;
  readonly form: DecodedForm<Picture>;
  /** With `start` only if ffmpeg searches for its time. */
  readonly options: FrameSourceOptions;
  /** Path of the ffmpeg that decodes it; undefined: the preferred one. */
  readonly ffmpeg?: string;
}

/**
 * ffmpeg's filters for a video of which `facts` are known; '' if nothing is to be done. The filter fps sets the rate in
 * two cases. For a lower rate, it shows the pictures that are kept at their times; -r alone takes a picture until it is
 * 1.6 periods late, and adds some at the end. Beside other filters, -r does not know how long the last picture is to be
 * shown. In all other cases -r alone is better: it holds the last picture of a slide show longer.
 */
function videoFilters({ signature, options }: Decoding<unknown>, facts?: StreamFacts): string {
  const { frameRate: rate } = options;
  const { framesPerSecond = 0, heldAtRate } = facts ?? {};
  const isLowered = rate !== undefined && framesPerSecond > rate.numerator / rate.denominator + ROUNDING;
  const isChanged = filterChain(options, facts) !== undefined;
  const shown = rate ? `${rate.numerator}/${rate.denominator}` : heldAtRate;
  const atRate = shown !== undefined && (isLowered || isChanged) ? [`fps=${shown}`] : [];
  const filters = [
    ...(isTimeless(signature) ? ['setpts=N/FR/TB'] : []), // time stamps by frame number
    ...[filterChain(options, facts, atRate) ?? []].flat(),
  ];
  return filters.join(',');
}

/** By how much ffmpeg may round a rate up. */
const ROUNDING = 0.005;

/** How ffmpeg is to decode a video of which `facts` are known. */
function decodingJob(decoding: Decoding<unknown>, facts?: StreamFacts): FfmpegJob {
  const { path, stdin, signature, form, options, ffmpeg } = decoding;
  const { frameRate, frames, start } = options;
  const { demuxer } = signature;
  const seconds = start?.seconds;
  const filters = videoFilters(decoding, facts);
  return {
    ...(stdin && { stdin }),
    ...(ffmpeg !== undefined && { ffmpeg }),
    input: path,
    inputOptions: [
      ...(demuxer ? ['-f', demuxer] : []),
      ...(demuxer === 'mjpeg' && frameRate ? ['-framerate', `${frameRate.numerator}/${frameRate.denominator}`] : []),
      ...(facts?.alphaDecoder ? ['-c:v', facts.alphaDecoder] : []),
      ...['-max_pixels', String(MAX_CONVERTED_PELS)],
      ...(seconds === undefined ? [] : ['-ss', seconds.toFixed(6)]),
    ],
    outputOptions: [
      ...['-map', `0:${facts?.streamAfterCover ?? 'v:0'}`, ...form.outputOptions],
      ...(filters === '' ? [] : ['-vf', filters]),
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

/** Opens a video. Where its kind needs filters that were not expected, ffmpeg is started once more, with them. */
async function openDecoded<Picture>(decoding: Decoding<Picture>): Promise<FrameSource<Picture>> {
  const { path, stdin } = decoding;
  const first = await startDecoding(decoding, undefined);
  const { facts } = first;
  const { hdr, alpha, isFullRange, isCover, streamAfterCover, matrix } = facts;
  const toBt601 = decoding.options.toBt601 && matrix;
  const kinds = [hdr, alpha && 'alpha', isFullRange && 'full range', streamAfterCover && 'after a cover', toBt601];
  const kind = kinds.filter(Boolean).join(', ');
  const isOther = kind !== '' || (!stdin && videoFilters(decoding, facts) !== videoFilters(decoding));
  if (!isOther && !isCover) return first.open();
  await first.stop();
  if (isCover) throw new InputError(`${path} has no video: its only picture is a cover`);
  if (stdin) throw new InputError(`${path} is a pipe, and its pictures (${kind}) are converted from files only`);
  try {
    return await (await startDecoding(decoding, facts)).open();
  } catch (error) {
    if (!(facts.hdr && error instanceof LackingFfmpeg && /zscale|tonemap/.test(error.message))) throw error;
    const what = `${path} has high dynamic range (${facts.hdr}), which MPEG-1 lacks`;
    const lack = 'this ffmpeg lacks the filters zscale and tonemap, which convert it';
    throw new LackingFfmpeg(`${what}, and ${lack}: install one with libzimg, or set FFMPEG_PATH to one`, error.ending);
  }
}

/** An ffmpeg that has begun to decode, and what it says of the video. */
interface Started<Picture> {
  readonly facts: StreamFacts;
  /** The source of its frames. */
  open(): Promise<FrameSource<Picture>>;
  /** Ends ffmpeg. */
  stop(): Promise<void>;
}

async function startDecoding<Picture>(
  decoding: Decoding<Picture>,
  facts: StreamFacts | undefined,
): Promise<Started<Picture>> {
  const { signal } = decoding.options;
  const run = await startFfmpeg(decodingJob(decoding, facts));
  const onAbort = (): void => void run.stop();
  signal?.addEventListener('abort', onAbort);
  if (signal?.aborted) onAbort();
  const release = (): void => signal?.removeEventListener('abort', onAbort);
  const found = facts ?? readStreamFacts(await run.description, await run.outputStream);
  const open = async (): Promise<FrameSource<Picture>> => {
    try {
      return await decodedSource(decoding, run, found);
    } catch (error) {
      signal?.throwIfAborted();
      throw betterError(await ffmpegFailure(run, error), run, decoding);
    } finally {
      release();
    }
  };
  const stop = (): Promise<void> => {
    release();
    return run.stop();
  };
  return { facts: found, open, stop };
}

async function decodedSource<Picture>(
  decoding: Decoding<Picture>,
  run: FfmpegRun,
  facts: StreamFacts,
): Promise<FrameSource<Picture>> {
  const { path, signature, form, options } = decoding;
  const { frames = Number.POSITIVE_INFINITY, onWarning, start } = options;
  const source = await form.open(path, run);
  const lines = form.keepsMatrix ? source.height : undefined;
  for (const warning of videoWarnings(path, facts, lines, options)) onWarning?.(warning);
  const expected = isTimeless(signature) ? undefined : expectedFrames(await run.description, source.frameRate);
  const promised = facts.isAlone && start?.seconds === undefined ? expected : undefined;
  const left = expected === undefined ? undefined : Math.max(0, expected - (start?.frame ?? 0));
  return {
    ...source,
    soundTracks: soundTracks(isTimeless(signature) ? [] : await run.description),
    ...(left !== undefined && { frameCount: Math.min(left, frames) }),
    frames: (...given) => decodedFrames({ ...source, promised, maxFrames: frames }, run, decoding, ...given),
    close: () => run.stop(),
  };
}

function soundTracks(description: readonly string[]): number {
  return description.filter(line => /Stream #0:\d+.*?: Audio: /.test(line)).length;
}

async function* decodedFrames<Picture>(
  source: FrameSource<Picture> & { readonly maxFrames: number; readonly promised: number | undefined },
  run: FfmpegRun,
  { signature, options }: Decoding<Picture>,
  signal?: AbortSignal,
  memory?: FrameMemory,
): AsyncGenerator<Picture> {
  let frames = 0;
  try {
    for await (const frame of source.frames(signal, memory)) {
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
  const { damage: reported, sizes } = run.messages;
  if (sizes.length > 1) options.onWarning?.(sizesWarning(source.name, sizes, source));
  const { promised, maxFrames } = source;
  const isShort = promised !== undefined && frames < Math.min(promised, maxFrames) - tolerance(promised);
  const shortage = isShort ? `its header says about ${counted(promised, 'picture')}` : undefined;
  // Another size makes ffmpeg begin anew to number the pictures: it drops those whose numbers it has had.
  const isRenumbered = sizes.length > 1 && isTimeless(signature);
  const dropped = isRenumbered ? 'pictures are lost where the size changes' : undefined;
  const faults = [reported, frames < maxFrames ? signature.missing : undefined, shortage, dropped];
  const damage = faults.filter(fault => fault !== undefined).join('; ');
  if (damage === '') return;
  const message = `${source.name} is damaged or ends early: ${damage} (after ${counted(frames, 'picture')})`;
  if (options.damage !== 'warn') throw new DamagedInput(message);
  options.onWarning?.(message);
}

/** Durations in headers are rounded, and may count from a first time stamp that is not 0. */
function tolerance(frames: number): number {
  return Math.max(2, 0.02 * frames);
}

/** An error that says more than ffmpeg's own about a crop, odd sizes or text; else the same error. */
function betterError(
  error: unknown,
  { messages }: FfmpegRun,
  { path, signature, options }: Decoding<unknown>,
): unknown {
  if (!(error instanceof Error)) return error;
  if (options.crop && messages.lines.some(tellsOfCrop)) {
    return cropRefusal(path, options.crop);
  }
  const ofMatrix = options.toBt601 && messages.lines.map(line => matrixRefusal(path, line)).find(Boolean);
  if (ofMatrix) return ofMatrix;
  const isText = signature.isText && !signature.isY4m && error instanceof FfmpegFailure;
  return isText && !messages.tellsOfKind ? new InputError(`${path}: it is text, no video`, { cause: error }) : error;
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
  if (frames > 0)
    return new DamagedInput(`${failure.message} (after ${counted(frames, 'picture')})`, { cause: failure });
  return failure;
}

/** Number of frames, estimated from the duration that ffmpeg prints about its input; undefined if it prints none. */
function expectedFrames(description: readonly string[], rate: FrameRate | undefined): number | undefined {
  const text = description.join('\n');
  const match = /Duration: (\d+):(\d+):(\d+(?:\.\d+)?)(?:, start: (\d+\.\d+))?/.exec(text);
  if (!match || !rate) return undefined;
  const start = /Input #0, matroska/.test(text) ? Number(match[4] ?? 0) : 0; // Matroska's durations count from 0
  const seconds = 3600 * Number(match[1]) + 60 * Number(match[2]) + Number(match[3]) - start;
  return Math.max(1, Math.round((seconds * rate.numerator) / rate.denominator));
}
