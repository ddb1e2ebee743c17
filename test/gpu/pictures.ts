// Seeded pairs of pictures whose search takes different ways through the shaders.
import type { LumaPicture } from '../../src/motion/estimator.js';

/** A generator of numbers 0..1 that are the same every time (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Kinds of pictures whose search takes different ways through the shaders. */
export const PICTURE_KINDS = ['noise', 'flat', 'moving', 'extremes', 'repeating'] as const;
export type PictureKind = (typeof PICTURE_KINDS)[number];

/** Pels of a pair: the current picture, then its reference. */
const PELS: Record<PictureKind, (x: number, y: number, random: () => number) => readonly [number, number]> = {
  noise: (_x, _y, random) => [256 * random(), 256 * random()],
  flat: () => [90, 90],
  // A smooth texture that moves by (3, -2), with some noise: elimination works as on real pictures.
  moving: (x, y, random) => [texture(x + 3, y - 2) + 4 * random(), texture(x, y) + 4 * random()],
  // The largest differences there are: sums at their limits.
  extremes: (x, y) => [x < 24 ? 255 : 0, y < 24 ? 0 : 255],
  // Many vectors cost the same: the order of equals decides.
  repeating: (x, y) => [(x & 3) * 40 + (y & 1) * 30, (x & 3) * 40 + (y & 1) * 30],
};

function texture(x: number, y: number): number {
  return 110 + 55 * Math.sin(x / 5 + y / 9) + 45 * Math.cos(y / 4 - x / 13) + 20 * Math.sin(x * y * 0.03);
}

/** A seeded pair with ids `id` (current) and `id + 1` (reference). */
export function picturePair(
  kind: PictureKind,
  width: number,
  height: number,
  id: number,
): { current: LumaPicture; reference: LumaPicture } {
  const random = seededRandom(1 + id);
  const current = new Uint8Array(width * height);
  const reference = new Uint8Array(width * height);
  for (let at = 0; at < current.length; at++) {
    const [a, b] = PELS[kind](at % width, Math.floor(at / width), random);
    current[at] = a;
    reference[at] = b;
  }
  return { current: { id, width, height, pels: current }, reference: { id: id + 1, width, height, pels: reference } };
}
