// Draws the frames of the example: what a canvas, a game or a camera would give.
import { frameFromI420, i420Bytes } from 'mpegpu';
import { SIZE } from './format.mjs';

/** The frame's number stands in the picture as so many bits, the lowest first, in blocks of so many pels. */
export const NUMBER_BITS = 16;
export const BLOCK_PELS = 16;

const [BLACK, WHITE] = [16, 235];

/**
 * Frame `number`: stripes that move, a disc that circles, and the number.
 * @param {number} number
 */
export function drawFrame(number) {
  const { width, height } = SIZE;
  const frame = frameFromI420(width, height, new Uint8Array(i420Bytes(width, height)));
  const discX = width / 2 + Math.cos(number / 20) * 80;
  const discY = height / 2 + 20 + Math.sin(number / 20) * 60;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const isDisc = (x - discX) ** 2 + (y - discY) ** 2 < 30 ** 2;
      frame.y[y * width + x] = isDisc ? 200 : 90 + 50 * Math.sin((x + y + 2 * number) / 16);
    }
  }
  for (let y = 0; y < height / 2; y++) {
    for (let x = 0; x < width / 2; x++) {
      frame.u[y * (width / 2) + x] = 100 + x / 4;
      frame.v[y * (width / 2) + x] = 150 - y / 4;
    }
  }
  drawNumber(frame, number);
  return frame;
}

/**
 * @param {import('mpegpu').Frame} frame
 * @param {number} number
 */
function drawNumber({ width, y, u, v }, number) {
  for (let bit = 0; bit < NUMBER_BITS; bit++) {
    const pel = (number >> bit) & 1 ? WHITE : BLACK;
    for (let row = 0; row < BLOCK_PELS; row++) {
      const left = row * width + bit * BLOCK_PELS;
      y.fill(pel, left, left + BLOCK_PELS);
      const chroma = ((row >> 1) * width + bit * BLOCK_PELS) >> 1;
      for (const plane of [u, v]) plane.fill(128, chroma, chroma + BLOCK_PELS / 2);
    }
  }
}
