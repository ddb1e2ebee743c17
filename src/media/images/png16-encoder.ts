// Encodes numbers of 16 bits as PNG: one a pel, or three.
import sharp from 'sharp';

/** Numbers in raster order, the channels of a pel beside each other. */
export interface Image16 {
  /** In pels. */
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3;
  readonly values: Uint16Array;
}

/** The bytes of a PNG file with 16 bits a channel, the numbers unchanged. */
export function encodePng16({ width, height, channels, values }: Image16): Promise<Uint8Array> {
  return sharp(values, { raw: { width, height, channels } })
    .toColourspace(channels === 1 ? 'grey16' : 'rgb16')
    .png({ compressionLevel: 6 })
    .toBuffer();
}
