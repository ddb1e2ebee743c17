// Decodes image files: PNG, BMP, JPEG, netpbm, TIFF and WebP.
import { InputError } from '../../errors.js';
import { readInput } from '../input-file.js';
import { checkPictureSize, MAX_IMAGE_BYTES, MAX_PELS } from '../picture-size.js';
import { readBmp } from './bmp-reader.js';
import { readPnm } from './pnm-reader.js';
import type { RgbImage } from './rgb-image.js';

/** Endings of image files, without the dot. */
const EXTENSIONS = new Set(['png', 'bmp', 'dib', 'jpg', 'jpeg', 'jpe', 'ppm', 'pgm', 'pnm', 'tif', 'tiff', 'webp']);

/** Names of the formats that can be decoded, for messages. */
export const IMAGE_FORMATS = 'PNG, BMP, JPEG, PPM/PGM, TIFF or WebP';

/** Whether a file's name ends as that of an image that can be decoded. */
export function hasImageExtension(name: string): boolean {
  return EXTENSIONS.has(/\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? '');
}

/**
 * The image in a file. Its first bytes tell the format, not its name. The image is rotated as its EXIF data says and
 * converted to 8-bit sRGB; alpha is blended with black; of several pages the first counts. Throws an InputError that
 * names the file.
 */
export async function decodeImage(path: string): Promise<RgbImage> {
  const bytes = await readInput(path, MAX_IMAGE_BYTES);
  switch (imageKind(bytes)) {
    case 'bmp':
      return readBmp(path, bytes);
    case 'pnm':
      return readPnm(path, bytes);
    case 'libvips':
      return decodeWithSharp(path, bytes);
    default:
      throw new InputError(`${path} is not an image (${IMAGE_FORMATS} are read)`);
  }
}

function imageKind(bytes: Uint8Array): 'bmp' | 'pnm' | 'libvips' | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 12)).toString('latin1');
  if (start.startsWith('BM')) return 'bmp';
  if (/^P[2356][\s#]/.test(start)) return 'pnm';
  const isLibvips = /^(\x89PNG\r\n|\xff\xd8\xff|II[*+]\0|MM\0[*+]|RIFF.{4}WEBP)/s.test(start);
  return isLibvips ? 'libvips' : undefined;
}

async function decodeWithSharp(path: string, bytes: Uint8Array): Promise<RgbImage> {
  const { default: sharp } = await import('sharp'); // loaded on demand: other inputs open sooner
  const options = { limitInputPixels: MAX_PELS, failOn: 'error', sequentialRead: true } as const;
  try {
    const { data, info } = await sharp(bytes, options)
      .rotate()
      .flatten({ background: '#000' })
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    checkPictureSize(path, info.width, info.height);
    return { width: info.width, height: info.height, pels: data };
  } catch (error) {
    if (error instanceof InputError) throw error;
    const reason = (error as Error).message.split('\n')[0]!;
    if (reason.includes('pixel limit')) {
      const { width = 0, height = 0 } = await sharp(bytes, { limitInputPixels: false }).metadata();
      checkPictureSize(path, width, height);
    }
    throw new InputError(`${path} cannot be decoded: ${reason}`);
  }
}
