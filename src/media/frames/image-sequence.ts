// Reads a sequence of images as frames; decodes a few images ahead.
import { basename } from 'node:path';
import { InputError } from '../../errors.js';
import type { Frame } from '../../picture/frame.js';
import { rgbToFrame } from '../../picture/rgb-to-frame.js';
import { changedFrames } from '../filters/converted-frames.js';
import { alphaWarning } from '../filters/input-warnings.js';
import { changesSize, type PictureOptions, rgbOf } from '../filters/picture-options.js';
import { decodeImage } from '../images/image-decoder.js';
import type { DecodedImage, ImageDecoding } from '../images/rgb-image.js';
import { DamagedInput } from './damaged-input.js';
import type { FrameSource, FrameSourceOptions } from './frame-source.js';
import type { ImageList } from './image-list.js';

/** Images that are being decoded or wait for their turn while the consumer works. Bounds the memory. */
const MAX_IMAGES_AHEAD = 4;

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
  const decode = async (path: string): Promise<DecodedImage> => {
    const image = await decodeImage(path, decoding);
    const { hasAlpha = false, pages = 1, damage } = image;
    if (damage !== undefined && options.damage === 'error') throw new DamagedInput(damage);
    if (damage !== undefined) warn(damage.replace('cannot be decoded', 'is damaged'));
    if (hasAlpha) warn(alphaWarning(list.name, options));
    if (pages > 1) warn(`${path} has ${pages} pages or pictures: only the first is read`);
    return image;
  };
  const first = await decode(list.paths[0]!);
  const frames = (signal?: AbortSignal) => decodeAhead(list.paths, decode, rgbToFrame(first), signal);
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

type Decode = (path: string) => Promise<DecodedImage>;

async function* decodeAhead(
  paths: readonly string[],
  decode: Decode,
  first: Frame,
  signal?: AbortSignal,
): AsyncGenerator<Frame> {
  const pending: Promise<Frame>[] = [Promise.resolve(first)];
  let next = 1;
  const startDecoding = (): void => {
    while (pending.length < MAX_IMAGES_AHEAD && next < paths.length) {
      const frame = decodeFrame(paths[next++]!, decode, paths[0]!, first);
      // Its error is thrown when its turn comes. Until then Node must not report it as unhandled.
      frame.catch(() => {});
      pending.push(frame);
    }
  };
  try {
    while (pending.length > 0) {
      signal?.throwIfAborted();
      const frame = await pending.shift()!;
      startDecoding();
      signal?.throwIfAborted();
      yield frame;
    }
  } finally {
    await Promise.allSettled(pending);
  }
}

async function decodeFrame(path: string, decode: Decode, firstPath: string, first: Frame): Promise<Frame> {
  const image = await decode(path);
  if (image.width !== first.width || image.height !== first.height) {
    throw new InputError(
      `${path} is ${image.width}x${image.height}, but ${basename(firstPath)} is ${first.width}x${first.height}: ` +
        'all frames of a sequence have one size',
    );
  }
  return rgbToFrame(image);
}
