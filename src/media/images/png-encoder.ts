// Encodes images as PNG.
import { loadSharp } from './load-sharp.js';
import type { RgbImage } from './rgb-image.js';

/** A gray image: `width * height` bytes, row by row. */
interface GrayPels {
  readonly width: number;
  readonly height: number;
  readonly pels: Uint8Array;
}

/** The bytes of a PNG file of an image. */
export async function encodePng({ width, height, pels }: RgbImage): Promise<Uint8Array> {
  const sharp = await loadSharp();
  return sharp(pels, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 6 })
    .toBuffer();
}

/** The bytes of a PNG file of a gray image. */
export async function encodeGrayPng({ width, height, pels }: GrayPels): Promise<Uint8Array> {
  const sharp = await loadSharp();
  return sharp(pels, { raw: { width, height, channels: 1 } })
    .toColourspace('b-w')
    .png({ compressionLevel: 6 })
    .toBuffer();
}
