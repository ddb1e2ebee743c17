// Reads a sequence of images as frames; decodes a few images ahead.
import { basename } from 'node:path';
import { InputError } from '../../errors.js';
import { createKernels } from '../../kernels/select-kernels.js';
import type { Frame, FrameMemory } from '../../picture/frame.js';
import { RgbConverter } from '../../picture/rgb-converter.js';
import { changedFrames } from '../filters/converted-frames.js';
import { imageWarnings } from '../filters/input-warnings.js';
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
 * from the first in size, is an InputError that names it: for a later image, when its turn comes in the iteration.
 */
export async function openImageSequence(list: ImageList, options: ImageOptions = {}): Promise<FrameSource> {
  const { frameRate, background, onWarning } = options;
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
  const converter = await RgbConverter.create(first.width, first.height, 4, createKernels);
  async function* frames(signal?: AbortSignal, memory?: FrameMemory): AsyncGenerator<Frame> {
    for await (const image of sequence(list.paths, decode, first, signal)) {
      yield converter.frame(image, memory?.newFrame());
    }
  }
  const { width, height, pelAspect } = first;
  const source: FrameSource = {
    name: list.name,
    width,
    height,
    ...(frameRate && { frameRate }),
    ...(pelAspect && { pelAspect }),
    frameCount: list.paths.length,
    frames,
    close: async () => {},
  };
  return changedFrames(source, options);
}

/** The images at these paths, of which the first has been decoded; all must have its size. */
function sequence(
  paths: readonly string[],
  decode: (path: string) => Promise<StoredImage>,
  first: StoredImage,
  signal?: AbortSignal,
): AsyncGenerator<StoredImage> {
  const fitting = Math.floor(BYTES_AHEAD / first.bytes.length);
  const ahead = Math.max(MIN_IMAGES_AHEAD, Math.min(MAX_IMAGES_AHEAD, fitting));
  const decodeOne = async (path: string, index: number): Promise<StoredImage> => {
    const image = index === 0 ? first : await decode(path);
    if (image.width === first.width && image.height === first.height) return image;
    throw new InputError(
      `${path} is ${image.width}x${image.height}, but ${basename(paths[0]!)} is ${first.width}x${first.height}: ` +
        'all frames of a sequence have one size',
    );
  };
  return decodedAhead({ paths, decode: decodeOne, ahead, signal });
}
