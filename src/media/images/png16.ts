// Reads and writes PNG files of 16 bits, whose samples are numbers rather than colours.

import { counted } from '../../counted.js';
import { InputError } from '../../errors.js';
import { checkPictureSize, MAX_PELS } from '../picture-size.js';
import { loadSharp } from './load-sharp.js';

/** Numbers of 16 bits: one or three a pel. */
export interface Image16 {
  /** In pels. */
  readonly width: number;
  readonly height: number;
  /** 1: a gray PNG. 3: an RGB one. */
  readonly channels: 1 | 3;
  /** 0..65535, pel by pel, row by row. */
  readonly samples: Uint16Array;
}

/** By these names libvips keeps 16 bits; its default would convert them to 8. */
const SPACES = { 1: 'grey16', 3: 'rgb16' } as const;

/** The bytes of a PNG file of 16 bits. */
export async function encodePng16({ width, height, channels, samples }: Image16): Promise<Uint8Array> {
  const sharp = await loadSharp();
  return sharp(samples, { raw: { width, height, channels } })
    .toColourspace(SPACES[channels])
    .png({ compressionLevel: 6 })
    .toBuffer();
}

/**
 * The numbers in a PNG file of 16 bits with so many channels, unchanged. Throws an InputError that starts with `path`
 * if the bytes are no such file, or if it is larger than the largest picture.
 */
export async function decodePng16(path: string, bytes: Uint8Array, channels: Image16['channels']): Promise<Image16> {
  const sharp = await loadSharp();
  try {
    const options = { limitInputPixels: MAX_PELS, ignoreIcc: true };
    const found = await sharp(bytes, { ...options, limitInputPixels: false }).metadata();
    if (found.format !== 'png') throw new InputError(`${path} is no PNG file`);
    checkPictureSize(path, found.width, found.height);
    if (found.depth !== 'ushort' || found.channels !== channels) {
      const is = `${counted(found.depth === 'ushort' ? 16 : (found.bitsPerSample ?? 8), 'bit')} and ${counted(found.channels, 'channel')}`;
      throw new InputError(`${path} is a PNG of ${is}; one of 16 bits and ${counted(channels, 'channel')} is needed`);
    }
    const decoded = sharp(bytes, options).toColourspace(SPACES[channels]).raw({ depth: 'ushort' });
    const { data, info } = await decoded.toBuffer({ resolveWithObject: true });
    const samples = new Uint16Array(data.buffer, data.byteOffset, data.length >> 1);
    return { width: info.width, height: info.height, channels, samples };
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`${path} cannot be decoded: ${(error as Error).message.split('\n')[0]}`);
  }
}
