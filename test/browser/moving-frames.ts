// Frames that pages and Node make alike: pages get the text of this function.
import type { Frame } from '../../src/picture/frame.js';

/** The size of the frames, in pels. */
export const SIZE = { width: 96, height: 64 };

/** How many there are. */
export const FRAMES = 30;

/** Frame `number` of a pattern that moves. */
export function patternFrame(width: number, height: number, number: number): Frame {
  const y = new Uint8Array(width * height);
  for (let at = 0; at < y.length; at++) {
    const [x, line] = [(at % width) + 2 * number, Math.floor(at / width) + number];
    y[at] = 128 + 50 * Math.sin(x / 5) + 40 * Math.cos(line / 7) + ((x * 7 + line * 13) % 16);
  }
  const u = new Uint8Array((width * height) / 4).map((_, at) => 100 + ((at + number) % 40));
  return { width, height, y, u, v: u.map(value => 255 - value) };
}

/** All of them. */
export function movingFrames(): Frame[] {
  return Array.from({ length: FRAMES }, (_, number) => patternFrame(SIZE.width, SIZE.height, number));
}
