// The colour of a vector: its direction on the colour circle.

/** Share of the full hue, the rest is white: pure blue would be hard to see on a dark picture. */
const SATURATION = 0.6;

/**
 * The colour of a direction: its hue goes once round the colour circle.
 *
 *                up: violet
 *                    |
 *     left: cyan ----+---- right: red
 *                    |
 *               down: yellow-green
 */
export function directionColour(dx: number, dy: number): [red: number, green: number, blue: number] {
  const turn = Math.atan2(dy, dx) / (2 * Math.PI);
  return hueColour(turn < 0 ? turn + 1 : turn);
}

/** The colour of a hue: 0 is red, 1/3 green, 2/3 blue. */
function hueColour(turn: number): [red: number, green: number, blue: number] {
  const channel = (offset: number): number => {
    const distance = Math.abs(((turn * 6 + offset) % 6) - 3);
    const value = Math.max(0, Math.min(1, distance - 1));
    return Math.round(255 * (1 - SATURATION + SATURATION * value));
  };
  return [channel(0), channel(4), channel(2)];
}
