// Colours of the film, and how they become YCbCr.

/** Red, green and blue, 0..1 each. */
export type Colour = readonly [number, number, number];

/** The colours; the shader has them in this order. */
export const PALETTE = {
  sky: [0.24, 0.31, 0.45],
  fog: [0.6, 0.65, 0.72],
  rock: [0.26, 0.23, 0.2],
  litSnow: [0.97, 0.97, 0.99],
  shadedSnow: [0.5, 0.59, 0.76],
  flake: [1, 1, 1],
} as const satisfies Record<string, Colour>;

/** `share` of the way from one colour to another. */
export function mixColours(from: Colour, to: Colour, share: number): Colour {
  return [0, 1, 2].map(at => from[at] + (to[at] - from[at]) * share) as unknown as Colour;
}

/** A colour as Y, Cb and Cr of BT.601 in limited range: 16..235, 16..240; not rounded. */
export function limitedBt601([red, green, blue]: Colour): Colour {
  return [
    16 + 65.481 * red + 128.553 * green + 24.966 * blue,
    128 - 37.797 * red - 74.203 * green + 112 * blue,
    128 + 112 * red - 93.786 * green - 18.214 * blue,
  ];
}
