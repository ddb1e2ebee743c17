import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { FrameRate } from '../../bitstream/tables/frame-rate.js';
import { InputError, OptionError } from '../../errors.js';
import type { Frame } from '../../picture/frame.js';
import { hasImageExtension } from '../images/image-decoder.js';
import { isGlobPattern } from './glob-pattern.js';
import { imagesInFolder, imagesOfGlob, imagesOfNumberPattern, isNumberPattern } from './image-list.js';
import { type ImageList, openImageSequence } from './image-sequence.js';
import { openRawVideo } from './raw-video.js';
import { openVideoFile } from './video-file.js';
import { openY4mFile, openY4mStream } from './y4m-reader.js';

/** Where frames come from. Size and rate are known before the first frame. */
export interface FrameSource {
  /** What the user named: the path, the pattern, or `standard input`. */
  readonly name: string;
  /** In pels, within MPEG-1's limits. */
  readonly width: number;
  readonly height: number;
  /** Undefined where neither the input nor the options say; any rate, not only MPEG-1's. */
  readonly frameRate?: FrameRate;
  /** Frames to expect, where it can be told beforehand; of a video file an estimate from its duration. For progress. */
  readonly frameCount?: number;
  /**
   * The frames in display order, read as they are asked for. May be iterated once. An abort ends it with the signal's
   * reason; leaving the loop early, an error and the end free what the source holds.
   */
  frames(signal?: AbortSignal): AsyncIterable<Frame>;
  /** Frees what the source holds (files, ffmpeg), also when it was not read to the end. Idempotent. */
  close(): Promise<void>;
}

/** How an input is to be taken. */
export interface FrameSourceOptions {
  /** Raw video only: its size in pels. */
  readonly size?: { readonly width: number; readonly height: number };
  /**
   * The rate to use instead of the input's. Images, raw and y4m frames are shown at that rate; a video file, which has
   * time stamps, is resampled to it by repeating and dropping frames, so that its speed stays.
   */
  readonly frameRate?: FrameRate;
  /** At most so many frames, from the first. */
  readonly frames?: number;
  /** What `-` reads; by default the standard input of the process. */
  readonly stdin?: Readable;
}

/**
 * Opens what the user named: `-` (y4m on standard input), a folder of images, an image, a `.y4m` or `.yuv` (I420) file,
 * any other file as a video through ffmpeg, or a printf or glob pattern of images. A name that exists is never taken as
 * a pattern. Throws an InputError or OptionError in one line that names the input and what is wrong with it.
 */
export async function openFrameSource(input: string, options: FrameSourceOptions = {}): Promise<FrameSource> {
  const { frames } = options;
  if (frames !== undefined && !(Number.isInteger(frames) && frames >= 1)) {
    throw new OptionError('frames', `frames ${frames} is not a whole number of 1 or more`);
  }
  if (options.size && !isRaw(input))
    throw new OptionError('size', `size is only for raw video (.yuv), which ${input} is not`);
  const source = await openWhole(input, options);
  return frames === undefined ? source : limitFrames(source, frames);
}

async function openWhole(input: string, options: FrameSourceOptions): Promise<FrameSource> {
  const { frameRate, frames } = options;
  if (input === '-') return openStandardInput(options);
  const images = async (list: Promise<ImageList>) => openImageSequence(await list, frameRate);
  const found = await stat(input).catch((error: NodeJS.ErrnoException) => missing(input, error));
  if (!found) {
    if (isNumberPattern(input)) return images(imagesOfNumberPattern(input));
    if (isGlobPattern(input)) return images(imagesOfGlob(input));
    throw new InputError(`no such file or folder: ${input}`);
  }
  if (found.isDirectory()) return images(imagesInFolder(input));
  if (/\.y4m$/i.test(input)) return openY4mFile(input, frameRate);
  if (isRaw(input)) return openRawVideo(input, options);
  if (hasImageExtension(input)) return openImageSequence({ name: input, paths: [input] }, frameRate);
  return openVideoFile(input, { ...(frameRate && { frameRate }), ...(frames !== undefined && { frames }) });
}

function isRaw(input: string): boolean {
  return /\.yuv$/i.test(input);
}

function missing(input: string, error: NodeJS.ErrnoException): Stats | undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
  throw new InputError(`${input} cannot be read: ${error.message}`);
}

async function openStandardInput({ stdin = process.stdin, frameRate }: FrameSourceOptions): Promise<FrameSource> {
  if ('isTTY' in stdin && stdin.isTTY) throw new InputError('standard input is a terminal: pipe a y4m stream into it');
  return openY4mStream('standard input', stdin, frameRate);
}

function limitFrames(source: FrameSource, limit: number): FrameSource {
  return {
    ...source,
    ...(source.frameCount !== undefined && { frameCount: Math.min(source.frameCount, limit) }),
    frames: signal => firstFrames(source.frames(signal), limit),
    close: () => source.close(),
  };
}

async function* firstFrames(frames: AsyncIterable<Frame>, limit: number): AsyncGenerator<Frame> {
  let count = 0;
  for await (const frame of frames) {
    yield frame;
    if (++count === limit) return;
  }
}
