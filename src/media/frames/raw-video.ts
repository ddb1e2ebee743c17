import { open } from 'node:fs/promises';
import type { FrameRate } from '../../bitstream/tables/frame-rate.js';
import { InputError, OptionError } from '../../errors.js';
import { type Frame, frameFromI420, i420Bytes } from '../../picture/frame.js';
import { checkPictureSize } from '../picture-size.js';
import { ByteReader } from './byte-reader.js';
import type { FrameSource } from './open-frame-source.js';

/** Bytes asked of the file system at a time. */
const READ_BYTES = 1 << 20;

/** What a raw file does not say about itself. */
export interface RawFormat {
  /** In pels. */
  readonly size?: { readonly width: number; readonly height: number };
  readonly frameRate?: FrameRate;
}

/**
 * A file of tight I420 frames (y, u, v; 8 bits) one after another as a source. Throws an OptionError without a size, an
 * InputError when the file is not a whole number of such frames.
 */
export async function openRawVideo(path: string, { size, frameRate }: RawFormat): Promise<FrameSource> {
  if (!size) throw new OptionError('size', `${path} is raw video: its size must be given, as in --size 352x288`);
  const { width, height } = size;
  if (!Number.isInteger(width) || !Number.isInteger(height)) {
    throw new OptionError('size', `size ${width}x${height} is not a pair of whole numbers`);
  }
  checkPictureSize(path, width, height);
  const file = await open(path).catch((error: Error) => {
    throw new InputError(`${path} cannot be read: ${error.message}`);
  });
  const frameBytes = i420Bytes(width, height);
  const { size: fileBytes } = await file.stat();
  if (fileBytes === 0 || fileBytes % frameBytes !== 0) {
    await file.close();
    const whole = Math.floor(fileBytes / frameBytes);
    throw new InputError(
      `${path} has ${fileBytes} bytes, which is not a whole number of ${width}x${height} 4:2:0 frames ` +
        `of ${frameBytes} bytes (${whole} and ${fileBytes % frameBytes} bytes): is the size right?`,
    );
  }
  const reader = new ByteReader(path, file.createReadStream({ highWaterMark: READ_BYTES }));
  return {
    name: path,
    width,
    height,
    ...(frameRate && { frameRate }),
    frameCount: fileBytes / frameBytes,
    frames: signal => rawFrames(reader, width, height, signal),
    close: async () => reader.close(),
  };
}

async function* rawFrames(
  reader: ByteReader,
  width: number,
  height: number,
  signal?: AbortSignal,
): AsyncGenerator<Frame> {
  try {
    for (let index = 0; ; index++) {
      signal?.throwIfAborted();
      const bytes = new Uint8Array(i420Bytes(width, height));
      const read = await reader.read(bytes);
      if (read === 0) return;
      if (read < bytes.length) {
        throw new InputError(
          `${reader.name} is truncated: frame ${index} (the first is 0) has ${read} of ${bytes.length} bytes`,
        );
      }
      yield frameFromI420(width, height, bytes);
    }
  } finally {
    reader.close();
  }
}
