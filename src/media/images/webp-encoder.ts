// Encodes small images as lossy WebP within a given number of bytes.
import { loadSharp } from './load-sharp.js';

/** RGB or gray pels, 3 bytes or 1 each, row by row. */
interface SourceImage {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3;
  readonly pels: Uint8Array;
}

/** What is wanted of the encoded image. */
interface ImageTarget {
  /** In pels; the image is scaled to this size. */
  readonly width: number;
  readonly height: number;
  /** Limit of its length. */
  readonly maxBytes: number;
}

/** WebP qualities, tried in this order until the image is small enough. */
const QUALITIES = [75, 55, 38, 24, 12, 4];

/** The image at the best quality that fits into `maxBytes`, or at the lowest if none does. */
export async function encodeWebp(image: SourceImage, target: ImageTarget): Promise<Uint8Array> {
  const { width, height, channels, pels } = image;
  const sharp = await loadSharp();
  const scaled = await sharp(pels, { raw: { width, height, channels } })
    .resize(target.width, target.height, { fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const raw = { width: scaled.info.width, height: scaled.info.height, channels: scaled.info.channels };
  let bytes = new Uint8Array();
  for (const quality of QUALITIES) {
    bytes = new Uint8Array(await sharp(scaled.data, { raw }).webp({ quality, effort: 2 }).toBuffer());
    if (bytes.length <= target.maxBytes) break;
  }
  return bytes;
}
