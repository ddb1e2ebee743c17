// Reads a sequence of images as frames; decodes a few images ahead.
import { basename } from 'node:path';
import type { FrameRate } from '../../bitstream/tables/frame-rate.js';
import { InputError } from '../../errors.js';
import type { Frame } from '../../picture/frame.js';
import { decodeImage } from '../images/image-decoder.js';
import { rgbToFrame } from '../images/rgb-to-ycbcr.js';
import type { FrameSource } from './frame-source.js';
import type { ImageList } from './image-list.js';

/** Images that are being decoded or wait for their turn while the consumer works. Bounds the memory. */
const MAX_IMAGES_AHEAD = 4;

/**
 * Opens a sequence of images. The first one is decoded here, for the size. An image that cannot be decoded, or differs
 * from the first in size, is an InputError that names it: for a later image, when its turn comes in the iteration.
 */
export async function openImageSequence(list: ImageList, frameRate?: FrameRate): Promise<FrameSource> {
  const first = rgbToFrame(await decodeImage(list.paths[0]!));
  return {
    name: list.name,
    width: first.width,
    height: first.height,
    ...(frameRate && { frameRate }),
    frameCount: list.paths.length,
    frames: signal => decodeAhead(list.paths, first, signal),
    close: async () => {},
  };
}

async function* decodeAhead(paths: readonly string[], first: Frame, signal?: AbortSignal): AsyncGenerator<Frame> {
  const pending: Promise<Frame>[] = [Promise.resolve(first)];
  let next = 1;
  const startDecoding = (): void => {
    while (pending.length < MAX_IMAGES_AHEAD && next < paths.length) {
      const frame = decodeFrame(paths[next++]!, paths[0]!, first);
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

async function decodeFrame(path: string, firstPath: string, first: Frame): Promise<Frame> {
  const image = await decodeImage(path);
  if (image.width !== first.width || image.height !== first.height) {
    throw new InputError(
      `${path} is ${image.width}x${image.height}, but ${basename(firstPath)} is ${first.width}x${first.height}: ` +
        'all frames of a sequence have one size',
    );
  }
  return rgbToFrame(image);
}
