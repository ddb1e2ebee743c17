import sharp from 'sharp';

/** A picture to be shown small: RGB or gray pels, 3 or 1 bytes each, row by row. */
export interface ShownImage {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3;
  readonly pels: Uint8Array;
}

/** How an image is to come out. */
export interface ImageTarget {
  /** In pels; the image is scaled to it. */
  readonly width: number;
  readonly height: number;
  /** Bytes that it may take. */
  readonly maxBytes: number;
}

/** Tried in order until the image is small enough. */
const QUALITIES = [75, 55, 38, 24, 12, 4];

/** The image as lossy WebP of the best quality that fits into `maxBytes`; of the lowest where none does. */
export async function encodeWebp(image: ShownImage, target: ImageTarget): Promise<Uint8Array> {
  const { width, height, channels, pels } = image;
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
