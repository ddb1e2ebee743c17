// Pictures that change everywhere, the more the later they are.
import { generateSample } from '../../samples/generate.js';
import type { Frame } from '../../src/picture/frame.js';

/** What a picture keeps of the one before, and what it has of noise of its own. */
const KEPT = 0.8;
const NEW = 0.3;

/**
 * Pictures whose luma turns into other noise: three pictures later it differs about 1.5 times as much as one picture
 * later.
 */
export function shimmer(size: { readonly width: number; readonly height: number }, frames: number): Frame[] {
  const noise = generateSample({ kind: 'noise', ...size, frames, seed: 3 });
  let before: Uint8Array | undefined;
  return Array.from(noise, frame => {
    const y = frame.y.map((pel, at) => 128 + KEPT * ((before?.[at] ?? pel) - 128) + NEW * (pel - 128));
    before = y;
    return { ...frame, y };
  });
}
