import sharp from 'sharp';
import { OutputFile, type OutputOptions } from '../output/output-file.js';
import type { RgbImage } from './rgb-to-ycbcr.js';

/** The bytes of a PNG file of an image. */
export function encodePng({ width, height, pels }: RgbImage): Promise<Uint8Array> {
  return sharp(pels, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 6 })
    .toBuffer();
}

/** Writes a PNG file, which appears when it is complete; the errors are those of `OutputFile.open`. */
export async function writePng(path: string, image: RgbImage, options: OutputOptions = {}): Promise<void> {
  const file = await OutputFile.open(path, options);
  try {
    await file.write(await encodePng(image));
    await file.finish();
  } finally {
    await file.discard();
  }
}
