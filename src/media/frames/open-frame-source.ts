// Opens the input that the user named: images, a video, y4m, raw video or standard input.
import { fstatSync, type Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { Readable } from 'node:stream';
import { InputError, OptionError } from '../../errors.js';
import { suggestion } from '../../nearest-name.js';
import { checkPictureOptions, pelAspectOf } from '../filters/picture-options.js';
import { hasImageExtension } from '../images/image-decoder.js';
import { isAnimatedPng } from '../images/image-shape.js';
import { readFailure, readInput } from '../input-file.js';
import { MAX_IMAGE_BYTES } from '../picture-size.js';
import { limitFrames, requireFrame, skipFrames } from './frame-limit.js';
import { type FrameSource, type FrameSourceOptions, type FrameStart, STANDARD_INPUT } from './frame-source.js';
import { isGlobPattern } from './glob-pattern.js';
import { type ImageList, imagesInFolder, imagesOfGlob, imagesOfNumberPattern, isNumberPattern } from './image-list.js';
import { openImageSequence } from './image-sequence.js';
import { openRawVideo } from './raw-video.js';
import { openVideoFile } from './video-file.js';
import { openY4mFile, openY4mStream } from './y4m-source.js';

/**
 * Opens an input: `-` (y4m on standard input), a folder of images, an image, a `.y4m` or `.yuv` (I420) file, a printf
 * or glob pattern of images, or any other file as a video through ffmpeg. A name that exists is never taken as a
 * pattern. Throws an InputError or OptionError that names the input and the fault.
 */
export async function openFrameSource(input: string, options: FrameSourceOptions = {}): Promise<FrameSource> {
  const { frames, start, deinterlace, aspect } = options;
  if (typeof input !== 'string' || input === '') {
    throw new OptionError('input', `the input is ${input === '' ? 'empty' : typeof input}: a name is needed`);
  }
  checkFrameRate(options.frameRate);
  if (frames !== undefined && !(Number.isInteger(frames) && frames >= 1)) {
    throw new OptionError('frames', named => `${named('frames')} ${frames} is not a whole number of 1 or more`);
  }
  if (options.size && !isRawVideo(input))
    throw new OptionError(
      'size',
      named =>
        `${named('size')} is only for raw video (.yuv), which ${input} is not: ${named('scale')} changes the size`,
    );
  checkPictureOptions(options);
  const isLater = deinterlace === true && start !== undefined && start.frame > 0;
  const source = isLater ? await openFromStart(input, start, options) : await openChecked(input, options);
  return aspect === undefined ? source : { ...source, pelAspect: pelAspectOf(aspect, source) };
}

function checkFrameRate(rate: FrameSourceOptions['frameRate']): void {
  if (rate === undefined || (rate?.numerator > 0 && rate.denominator > 0)) return;
  throw new OptionError(
    'frameRate',
    named => `${named('frameRate')} ${String(rate)} is no fraction; legal: as { numerator: 30000, denominator: 1001 }`,
  );
}

/** A deinterlaced picture has lines of the pictures beside it: so all are read, and those before `start` left out. */
async function openFromStart(input: string, start: FrameStart, options: FrameSourceOptions): Promise<FrameSource> {
  const { start: _, frames, ...others } = options;
  const source = await openChecked(input, { ...others, ...(frames !== undefined && { frames: start.frame + frames }) });
  return skipFrames(source, start);
}

async function openChecked(input: string, options: FrameSourceOptions): Promise<FrameSource> {
  const { frames, start, onWarning } = options;
  const limited = async (source: Promise<FrameSource>) => limitFrames(await source, frames);
  if (input === '-') return limited(openStandardInput(options));
  const images = async (list: Promise<ImageList>) => limited(openImageSequence(imagesFrom(await list, start), options));
  const found = await statIfPresent(input);
  if (!found) {
    const lastImage = frames === undefined ? undefined : (start?.frame ?? 0) + frames;
    if (isNumberPattern(input)) return images(imagesOfNumberPattern(input, lastImage));
    if (isGlobPattern(input)) return images(imagesOfGlob(input, onWarning));
    throw new InputError(`no such file or folder: ${input}${await nearestFile(input)}`);
  }
  if (found.isDirectory()) return images(imagesInFolder(input, onWarning));
  if (/\.y4m$/i.test(input)) return limited(openY4mFile(input, options));
  if (isRawVideo(input)) return limited(openRawVideo(input, options));
  if (hasImageExtension(input) && !(await isAnimatedPngFile(input, found))) {
    return images(Promise.resolve({ name: input, paths: [input] }));
  }
  return openVideoFile(input, options);
}

/** Whether a file is a PNG animation, all of whose pictures ffmpeg reads. */
async function isAnimatedPngFile(path: string, found: Stats): Promise<boolean> {
  return /\.png$/i.test(path) && found.isFile() && isAnimatedPng(await readInput(path, MAX_IMAGE_BYTES));
}

function imagesFrom({ name, paths }: ImageList, start: FrameStart | undefined): ImageList {
  if (start) requireFrame(name, start, paths.length);
  return { name, paths: paths.slice(start?.frame) };
}

function isRawVideo(input: string): boolean {
  return /\.yuv$/i.test(input);
}

/** ` (did you mean clip.y4m?)`, if something of a name that is near lies where the input is looked for. */
async function nearestFile(input: string): Promise<string> {
  const names = await readdir(dirname(input)).catch(() => []);
  return suggestion(basename(input), names);
}

/** Undefined if nothing of this name exists. */
async function statIfPresent(input: string): Promise<Stats | undefined> {
  try {
    return await stat(input);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (code === 'ENAMETOOLONG' && (isNumberPattern(input) || isGlobPattern(input))) return undefined;
    throw readFailure(input, error);
  }
}

async function openStandardInput(options: FrameSourceOptions): Promise<FrameSource> {
  const { stdin: given = process.stdin, start, signal } = options;
  const stdin = given instanceof Readable ? given : Readable.from(given);
  if ('isTTY' in stdin && stdin.isTTY) throw new InputError('standard input is a terminal: pipe a y4m stream into it');
  // Node gives a folder as an empty stream.
  if (stdin === process.stdin && fstatSync(0).isDirectory()) {
    throw new InputError('standard input is a folder: a y4m stream is needed');
  }
  const close = (): void => void stdin.destroy();
  signal?.addEventListener('abort', close);
  try {
    return skipFrames(await openY4mStream(STANDARD_INPUT, stdin, options), start);
  } finally {
    signal?.removeEventListener('abort', close);
  }
}
