// Reads gray images whose values are numbers, such as disparities: 8 or 16 bits, unchanged.
import type { Sharp } from 'sharp';
import { InputError } from '../../errors.js';
import { loadSharp } from '../images/load-sharp.js';
import { readInput } from '../input-file.js';
import { checkPictureSize, MAX_IMAGE_BYTES, MAX_PELS } from '../picture-size.js';

/** An image whose values are numbers, not brightness: a disparity map or a mask. */
export interface GrayImage {
  /** In pels. */
  readonly width: number;
  readonly height: number;
  /** The file's own values, row by row: 0..255, or 0..65535 in a file of 16 bits. */
  readonly values: Uint16Array;
  /** Bits of a value in the file. */
  readonly bits: 8 | 16;
}

/** The values of a gray PNG or TIFF of 8 or 16 bits, or of an RGB one whose pels are all gray. Throws InputError. */
export async function readGrayImage(path: string): Promise<GrayImage> {
  return decodeGrayImage(path, await readInput(path, MAX_IMAGE_BYTES));
}

/** The same of the bytes of a file; `path` is its name in messages. */
export async function decodeGrayImage(path: string, bytes: Uint8Array): Promise<GrayImage> {
  const { data, info, depth } = await decode(path, bytes).catch((error: Error) => {
    if (error instanceof InputError) throw error;
    throw new InputError(`${path} cannot be decoded: ${error.message.split('\n')[0]}`);
  });
  const { width, height, channels } = info;
  const samples = depth === 'ushort' ? new Uint16Array(data.buffer, data.byteOffset, data.length >> 1) : data;
  const values = new Uint16Array(width * height);
  for (let pel = 0; pel < values.length; pel++) {
    const value = samples[pel * channels]!;
    if (channels >= 3 && (samples[pel * channels + 1] !== value || samples[pel * channels + 2] !== value)) {
      throw new InputError(`${path} is in colour; a map of numbers is gray`);
    }
    values[pel] = value;
  }
  return { width, height, values, bits: depth === 'ushort' ? 16 : 8 };
}

async function decode(path: string, bytes: Uint8Array) {
  const sharp = await loadSharp();
  const { width = 0, height = 0, depth, space } = await sharp(bytes, { limitInputPixels: false }).metadata();
  checkPictureSize(path, width, height);
  const image = sharp(bytes, { limitInputPixels: MAX_PELS });
  // By default libvips converts 16 bits to 8-bit sRGB, which changes the values.
  if (depth === 'ushort' && (space === 'grey16' || space === 'rgb16')) return raw(image.toColourspace(space), 'ushort');
  return raw(space === 'b-w' ? image.toColourspace('b-w') : image, 'uchar');
}

async function raw(image: Sharp, depth: 'uchar' | 'ushort') {
  return { ...(await image.raw({ depth }).toBuffer({ resolveWithObject: true })), depth };
}
