// Opens the input that the user named: images, a video, y4m, raw video or standard input.
import { fstatSync } from 'node:fs';
import { Readable } from 'node:stream';
import { InputError, OptionError } from '../../errors.js';
import { inWords, requireOptions } from '../../given-options.js';
import {
  checkPictureOptions,
  PICTURE_OPTION_NAMES,
  type PictureOptions,
  pelAspectOf,
} from '../filters/picture-options.js';
import { isRawVideo, kindOfInput } from '../input-kind.js';
import { orAborted } from '../or-aborted.js';
import { limitFrames, requireFrame, requireFrameLimit, requireStart, skipFrames } from './frame-limit.js';
import { type FrameSource, type FrameSourceOptions, type FrameStart, STANDARD_INPUT } from './frame-source.js';
import type { ImageList } from './image-list.js';
import { openImageSequence } from './image-sequence.js';
import { openRawVideo } from './raw-video.js';
import { openVideoFile } from './video-file.js';
import { openY4mFile, openY4mStream } from './y4m/y4m-source.js';

const NAMES = [
  ...PICTURE_OPTION_NAMES,
  ...Object.keys({
    size: true,
    frameRate: true,
    frames: true,
    start: true,
    stdin: true,
    signal: true,
    damage: true,
    onWarning: true,
    optionNaming: true,
  } satisfies Record<Exclude<keyof FrameSourceOptions, keyof PictureOptions>, true>),
];

/**
 * Opens an input: `-` (y4m on standard input), a folder of images, an image, a `.y4m` or `.yuv` (I420) file, a printf
 * or glob pattern of images, or any other file as a video through ffmpeg. A name that exists is never taken as a
 * pattern. Throws an InputError or OptionError that names the input and the fault, and the signal's reason.
 */
export async function openFrameSource(input: string, options: FrameSourceOptions = {}): Promise<FrameSource> {
  requireOptions(options, NAMES, 'FrameSourceOptions', ['deinterlace', 'toBt601']);
  const { signal } = options;
  signal?.throwIfAborted();
  const opening = openSource(input, options);
  if (!signal) return opening;
  try {
    return await orAborted(opening, signal);
  } catch (error) {
    opening.then(source => source.close()).catch(() => {});
    throw error;
  }
}

async function openSource(input: string, options: FrameSourceOptions): Promise<FrameSource> {
  const { frames, start, deinterlace, aspect, damage } = options;
  if (typeof input !== 'string' || input === '') {
    throw new OptionError('input', `the input is ${input === '' ? 'empty' : typeof input}: a name is needed`);
  }
  checkFrameRate(options.frameRate);
  requireFrameLimit(frames);
  requireStart(start);
  if (options.size !== undefined && !isRawVideo(input))
    throw new OptionError(
      'size',
      named =>
        `${named('size')} is only for raw video (.yuv), which ${input} is not: ${named('scale')} changes the size`,
    );
  checkPictureOptions(options);
  if (damage !== undefined && damage !== 'error' && damage !== 'warn') {
    throw new OptionError('damage', `damage ${inWords(damage)} does not exist; legal: error, warn`);
  }
  const needsFramesBefore = deinterlace === true && start !== undefined && start.frame > 0;
  const opened = needsFramesBefore ? await openFromStart(input, start, options) : await openChecked(input, options);
  const source = readOnce(opened);
  return aspect === undefined ? source : { ...source, pelAspect: pelAspectOf(aspect, source) };
}

/** A source whose frames are given once, and not after its end. */
function readOnce(source: FrameSource): FrameSource {
  let end: 'read' | 'closed' | undefined;
  return {
    ...source,
    async *frames(...given) {
      requireOptions({ signal: given[0] ?? undefined }, ['signal'], 'FrameSourceOptions');
      if (end) {
        given[0]?.throwIfAborted();
        throw new InputError(`${source.name} has been ${end}: open it again`);
      }
      end = 'read';
      yield* source.frames(...given);
    },
    close: () => {
      end = 'closed';
      return source.close();
    },
  };
}

function checkFrameRate(rate: FrameSourceOptions['frameRate']): void {
  if (rate === undefined || (rate?.numerator > 0 && rate.denominator > 0)) return;
  throw new OptionError(
    'frameRate',
    named => `${named('frameRate')} ${inWords(rate)} is no fraction; legal: as { numerator: 30000, denominator: 1001 }`,
  );
}

/** A deinterlaced picture has lines of the pictures beside it: so all are read, and those before `start` left out. */
async function openFromStart(input: string, start: FrameStart, options: FrameSourceOptions): Promise<FrameSource> {
  const { start: _, frames, ...others } = options;
  const source = await openChecked(input, { ...others, ...(frames !== undefined && { frames: start.frame + frames }) });
  const { name, frameCount, soundTracks } = source;
  const isExact = soundTracks === undefined; // the count of a video, which may have sound, is estimated
  if (isExact && frameCount !== undefined && start.frame >= frameCount) {
    await source.close();
    requireFrame(name, start, frameCount);
  }
  return skipFrames(source, start);
}

async function openChecked(input: string, options: FrameSourceOptions): Promise<FrameSource> {
  const { frames, start, onWarning } = options;
  const limited = async (source: Promise<FrameSource>) => limitFrames(await source, frames);
  const maxImages = frames === undefined ? undefined : (start?.frame ?? 0) + frames;
  const found = await kindOfInput(input, { maxImages, onWarning });
  switch (found.kind) {
    case 'standard input':
      return limited(openStandardInput(options));
    case 'images':
      return limited(openImageSequence(imagesFrom(found.list, start), options));
    case 'y4m':
      return limited(openY4mFile(input, options));
    case 'raw video':
      return limited(openRawVideo(input, options));
    case 'video':
      return openVideoFile(input, options);
  }
}

function imagesFrom({ name, paths }: ImageList, start: FrameStart | undefined): ImageList {
  if (start) requireFrame(name, start, paths.length);
  return { name, paths: paths.slice(start?.frame) };
}

async function openStandardInput(options: FrameSourceOptions): Promise<FrameSource> {
  const { stdin: given = process.stdin, start, signal } = options;
  if ('locked' in given && given.locked) throw new InputError('stdin is locked: something else reads it');
  const stdin = streamOf(given);
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

/** A stream of what a caller gives. To destroy it does not wait for bytes that were asked for and do not come. */
function streamOf(given: NonNullable<FrameSourceOptions['stdin']>): Readable {
  if (given instanceof Readable) return given;
  if (!(Symbol.asyncIterator in given)) return Readable.from(given);
  const bytes = given[Symbol.asyncIterator]();
  const leave = async () => bytes.return?.();
  const endNow = async () => {
    leave().catch(() => {}); // the caller's affair
    return { done: true, value: undefined } as const;
  };
  return Readable.from({ [Symbol.asyncIterator]: () => ({ next: () => bytes.next(), return: endNow }) });
}
