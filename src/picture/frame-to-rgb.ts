// Converts frames to RGB pels: the way back from ITU-R BT.601 Y'CbCr, 4:2:0.
import { chromaLength, type Frame } from './frame.js';

/* The inverse of the matrix in rgb-to-frame.ts, from Y' 16..235 and Cb, Cr 16..240, in 16-bit fixed point. */
const LUMA = 76309;
const R_CR = 104597;
const G_CB = -25675;
const G_CR = -53279;
const B_CB = 132201;
const HALF = 1 << 15;

/** The pels R, G, B of a frame, row by row, rounded and clipped to 0..255; four pels share a chroma sample. */
export function frameToRgb({ width, height, y, u, v }: Frame): Uint8Array {
  const chromaWidth = chromaLength(width);
  const pels = new Uint8ClampedArray(3 * width * height);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const luma = LUMA * (y[row * width + column]! - 16) + HALF;
      const chroma = (row >> 1) * chromaWidth + (column >> 1);
      const cb = u[chroma]! - 128;
      const cr = v[chroma]! - 128;
      const at = 3 * (row * width + column);
      pels[at] = (luma + R_CR * cr) >> 16;
      pels[at + 1] = (luma + G_CB * cb + G_CR * cr) >> 16;
      pels[at + 2] = (luma + B_CB * cb) >> 16;
    }
  }
  return new Uint8Array(pels.buffer);
}
