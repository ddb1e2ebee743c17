import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { InputError } from '../../errors.js';

/** A picture whose values are numbers rather than brightness: a disparity map or a mask. */
export interface GrayImage {
  /** In pels. */
  readonly width: number;
  readonly height: number;
  /** As they stand in the file, 0..255, or 0..65535 of a 16-bit one. */
  readonly values: Uint16Array;
}

/** The values of a gray PNG or TIFF of 8 or 16 bits, or of one in colour whose colours are all gray. Throws InputError. */
export async function readGrayImage(path: string): Promise<GrayImage> {
  const bytes = await readFile(path).catch((error: Error) => {
    throw new InputError(`${path} cannot be read: ${error.message}`);
  });
  const { data, info, depth } = await decode(bytes).catch((error: Error) => {
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
  return { width, height, values };
}

async function decode(bytes: Uint8Array) {
  const { depth, space } = await sharp(bytes).metadata();
  // Left to itself, libvips turns 16-bit gray into 8-bit sRGB, which is another number.
  if (depth === 'ushort' && space === 'grey16') return raw(sharp(bytes).toColourspace('grey16'), 'ushort');
  return raw(space === 'b-w' ? sharp(bytes).toColourspace('b-w') : sharp(bytes), 'uchar');
}

async function raw(image: sharp.Sharp, depth: 'uchar' | 'ushort') {
  return { ...(await image.raw({ depth }).toBuffer({ resolveWithObject: true })), depth };
}
