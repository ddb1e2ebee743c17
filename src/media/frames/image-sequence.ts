// Reads a sequence of images as frames; decodes a few images ahead.
import { basename } from 'node:path';
import { InputError } from '../../errors.js';
import { createKernels } from '../../kernels/select-kernels.js';
import type { Frame, FrameMemory } from '../../picture/frame.js';
import { RgbConverter } from '../../picture/rgb-converter.js';
import { changedFrames } from '../filters/converted-frames.js';
import { imageWarnings, sizesWarning } from '../filters/input-warnings.js';
import { changesSize, type PictureOptions, rgbOf } from '../filters/picture-options.js';
import { decodedAhead } from '../images/decode-ahead.js';
import { decodeStoredImage } from '../images/image-decoder.js';
import type { ImageDecoding, StoredImage } from '../images/rgb-image.js';
import { DamagedInput } from './damaged-input.js';
import type { FrameSource, FrameSourceOptions } from './frame-source.js';
import type { ImageList } from './image-list.js';

/**
 * Images that are being decoded or wait for their turn while the consumer works: as many as keep Node's four threads
 * busy, fewer of large ones.
 */
const MAX_IMAGES_AHEAD = 8;
const MIN_IMAGES_AHEAD = 4;
const BYTES_AHEAD = 64 * 2 ** 20;

/** How the images are read. */
type ImageOptions = PictureOptions & Pick<FrameSourceOptions, 'frameRate' | 'damage' | 'onWarning' | 'signal'>;

/**
 * Opens a sequence of images. The first one is decoded here, for the size. An image that cannot be decoded, or differs
 * from the first in size and is not scaled, is an InputError that names it: for a later image, when its turn comes in
 * the iteration.
 */
export async function openImageSequence(list: ImageList, options: ImageOptions = {}): Promise<FrameSource> {
  const { frameRate, background, scale, onWarning } = options;
  const decoding: ImageDecoding = {
    ...(background !== undefined && { background: rgbOf(background) }),
    mayBeLarge: changesSize(options),
  };
  const warnings = new Set<string>();
  const warn = (message: string): void => {
    if (!warnings.has(message)) onWarning?.(message);
    warnings.add(message);
  };
  const decode = async (path: string): Promise<StoredImage> => {
    const image = await decodeStoredImage(path, decoding);
    if (image.damage !== undefined && options.damage === 'error') throw new DamagedInput(image.damage);
    for (const warning of imageWarnings({ name: list.name, path }, image, options)) warn(warning);
    return image;
  };
  const first = await decode(list.paths[0]!);
  const { name, paths } = list;
  const source = { name, ...(frameRate && { frameRate }), frameCount: paths.length, close: async () => {} };
  if (scale) return openScaled(source, sequence(paths, decode, first), options);
  const { width, height, pelAspect } = first;
  const converter = await RgbConverter.create(width, height, 4, createKernels);
  const oneSize = async (path: string): Promise<StoredImage> => {
    const image = await decode(path);
    if (hasSizeOf(image, first)) return image;
    const sizes = `${path} is ${sizeText(image)}, but ${basename(paths[0]!)} is ${sizeText(first)}`;
    const rule = 'all frames of a sequence have one size';
    throw new InputError(named => `${sizes}: ${rule}, which ${named('scale')} can give them`);
  };
  async function* frames(signal?: AbortSignal, memory?: FrameMemory): AsyncGenerator<Frame> {
    for await (const image of sequence(paths, oneSize, first, signal)) {
      yield converter.frame(image, memory?.newFrame());
    }
  }
  return changedFrames({ ...source, width, height, ...(pelAspect && { pelAspect }), frames }, options);
}

/**
 * The frames of images that are scaled to one size. Images of one size that follow each other have an ffmpeg of their
 * own. The pels have the shape of those of the first image.
 */
async function openScaled(
  source: Pick<FrameSource, 'name' | 'frameCount' | 'close'>,
  images: AsyncGenerator<StoredImage>,
  options: ImageOptions,
): Promise<FrameSource> {
  let other: StoredImage | undefined; // the first one of another size
  let isClosed = false;
  const openRun = async (first: StoredImage, signal: ImageOptions['signal']): Promise<FrameSource> => {
    const { width, height, pelAspect } = first;
    const converter = await RgbConverter.create(width, height, 4, createKernels);
    async function* frames(): AsyncGenerator<Frame> {
      let image: StoredImage | undefined = first;
      for (; image && hasSizeOf(image, first); image = (await images.next()).value) yield converter.frame(image);
      other = image;
    }
    return changedFrames({ ...source, width, height, ...(pelAspect && { pelAspect }), frames }, { ...options, signal });
  };
  const first: StoredImage = (await images.next()).value;
  let run = await openRun(first, options.signal);
  const close = async (): Promise<void> => {
    isClosed = true;
    await run.close();
    await images.return(undefined);
  };
  async function* frames(signal?: AbortSignal, memory?: FrameMemory): AsyncGenerator<Frame> {
    try {
      yield* run.frames(signal, memory);
      if (other) options.onWarning?.(sizesWarning(source.name, [first, other].map(sizeText), run));
      while (other && !isClosed) {
        const next = other;
        other = undefined;
        run = await openRun(next, signal);
        yield* run.frames(signal, memory);
      }
    } finally {
      await close();
    }
  }
  return { ...run, frames, close };
}

function hasSizeOf(a: StoredImage, b: StoredImage): boolean {
  return a.width === b.width && a.height === b.height;
}

function sizeText({ width, height }: StoredImage): string {
  return `${width}x${height}`;
}

/** The images at these paths, of which the first has been decoded. */
function sequence(
  paths: readonly string[],
  decode: (path: string) => Promise<StoredImage>,
  first: StoredImage,
  signal?: AbortSignal,
): AsyncGenerator<StoredImage> {
  const fitting = Math.floor(BYTES_AHEAD / first.bytes.length);
  const ahead = Math.max(MIN_IMAGES_AHEAD, Math.min(MAX_IMAGES_AHEAD, fitting));
  const decodeOne = async (path: string, index: number) => (index === 0 ? first : decode(path));
  return decodedAhead({ paths, decode: decodeOne, ahead, signal });
}
