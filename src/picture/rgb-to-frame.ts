// Converts RGB images to frames: ITU-R BT.601 Y'CbCr, 4:2:0.
import { chromaLength, type Frame } from './frame.js';

/** Pels R, G, B, or R, G, B and a fourth byte that is not looked at, row by row without padding; sRGB. */
export interface RgbPels {
  /** In pels. */
  readonly width: number;
  readonly height: number;
  readonly pels: Uint8Array | Uint8ClampedArray;
}

/*
 * The matrix of ITU-R BT.601 with MPEG-1's ranges (Y' 16..235, Cb and Cr 16..240) in 16-bit fixed point. Each row has
 * its exact sum (56284 = 219 / 255 * 65536; 0; 0), so that gray has chroma 128 and white has luma 235.
 */
const Y_R = 16829;
const Y_G = 33039;
const Y_B = 6416;
const CB_R = -9714;
const CB_G = -19070;
const CB_B = 28784;
const CR_R = 28784;
const CR_G = -24103;
const CR_B = -4681;
/** Offset 16, and one half for rounding to nearest, in 1/65536. */
const Y_OFFSET = (16 << 16) + (1 << 15);
/** Offset 128, and one half for rounding, in 1/262144: chroma is computed from sums of four pels. */
const C_OFFSET = (128 << 18) + (1 << 17);

/** The same numbers for the shader that does what `rgbToFrame` does. */
export const RGB_TO_FRAME_CONSTANTS: Readonly<Record<string, number>> = {
  ...{ Y_R, Y_G, Y_B, Y_OFFSET },
  ...{ CB_R, CB_G, CB_B, CR_R, CR_G, CR_B, C_OFFSET },
};

/**
 * The 4:2:0 frame of an RGB image. A chroma sample belongs to the mean of its 2x2 pels, so it lies in their centre, as
 * in MPEG-1 (ISO/IEC 11172-2 §2.4.1). At an odd edge the last column or row counts twice. A pel has `bytesPerPel`.
 */
export function rgbToFrame({ width, height, pels }: RgbPels, bytesPerPel: 3 | 4 = 3): Frame {
  const chromaWidth = chromaLength(width);
  const chromaHeight = chromaLength(height);
  const y = new Uint8Array(width * height);
  const u = new Uint8Array(chromaWidth * chromaHeight);
  const v = new Uint8Array(chromaWidth * chromaHeight);
  for (let chromaY = 0; chromaY < chromaHeight; chromaY++) {
    const row = 2 * chromaY * width;
    const rowBelow = 2 * chromaY + 1 < height ? row + width : row;
    for (let chromaX = 0; chromaX < chromaWidth; chromaX++) {
      const x = 2 * chromaX;
      const xRight = x + 1 < width ? x + 1 : x;
      let at = bytesPerPel * (row + x);
      let r = pels[at]!;
      let g = pels[at + 1]!;
      let b = pels[at + 2]!;
      y[row + x] = (Y_R * r + Y_G * g + Y_B * b + Y_OFFSET) >> 16;
      let sumR = r;
      let sumG = g;
      let sumB = b;

      at = bytesPerPel * (row + xRight);
      r = pels[at]!;
      g = pels[at + 1]!;
      b = pels[at + 2]!;
      y[row + xRight] = (Y_R * r + Y_G * g + Y_B * b + Y_OFFSET) >> 16;
      sumR += r;
      sumG += g;
      sumB += b;

      at = bytesPerPel * (rowBelow + x);
      r = pels[at]!;
      g = pels[at + 1]!;
      b = pels[at + 2]!;
      y[rowBelow + x] = (Y_R * r + Y_G * g + Y_B * b + Y_OFFSET) >> 16;
      sumR += r;
      sumG += g;
      sumB += b;

      at = bytesPerPel * (rowBelow + xRight);
      r = pels[at]!;
      g = pels[at + 1]!;
      b = pels[at + 2]!;
      y[rowBelow + xRight] = (Y_R * r + Y_G * g + Y_B * b + Y_OFFSET) >> 16;
      sumR += r;
      sumG += g;
      sumB += b;

      const chroma = chromaY * chromaWidth + chromaX;
      u[chroma] = (CB_R * sumR + CB_G * sumG + CB_B * sumB + C_OFFSET) >> 18;
      v[chroma] = (CR_R * sumR + CR_G * sumG + CR_B * sumB + C_OFFSET) >> 18;
    }
  }
  return { width, height, y, u, v };
}
