import { basename } from 'node:path';
import type { FrameRate } from '../../bitstream/tables/frame-rate.js';
import { InputError } from '../../errors.js';
import type { Frame } from '../../picture/frame.js';
import { decodeImage } from '../images/image-decoder.js';
import { rgbToFrame } from '../images/rgb-to-ycbcr.js';
import type { FrameSource } from './open-frame-source.js';

/** Images that are being read and decoded, or wait for their turn, while the consumer works: bounds the memory. */
const DECODE_AHEAD = 4;

/** A list of images that make a sequence, in display order. */
export interface ImageList {
  /** What the user named: the folder, pattern or file. */
  readonly name: string;
  /** At least one path. */
  readonly paths: readonly string[];
}

/**
 * A source whose frames are images. The first is decoded here, for the size. Throws an InputError that names the file
 * when an image cannot be decoded, or both files when their sizes differ (while iterating, when that frame's turn comes).
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
    while (pending.length < DECODE_AHEAD && next < paths.length) {
      const frame = decodeFrame(paths[next++]!, paths[0]!, first);
      // Its error is thrown when its turn comes; until then it must not count as unhandled.
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
