// Encodes images as PNG.
import sharp from 'sharp';
import type { RgbImage } from './rgb-image.js';

/** The bytes of a PNG file of an image. */
export function encodePng({ width, height, pels }: RgbImage): Promise<Uint8Array> {
  return sharp(pels, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 6 })
    .toBuffer();
}
