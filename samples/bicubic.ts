// Reads textures between pels: Catmull-Rom interpolation in integers.

/** Positions per pel and axis at which a texture can be read. */
export const PHASES = 64;

/** Sum of the four weights of a phase. */
const UNIT = 256;

/** Catmull-Rom weights, four per phase, rounded to 1/256; the nearer middle tap gets the rounding error. */
const WEIGHTS = Int32Array.from({ length: 4 * PHASES }, (_, at) => weightsOfPhase(at >> 2)[at & 3]);

function weightsOfPhase(phase: number): number[] {
  const t = phase / PHASES;
  const exact = [
    (-t * t * t + 2 * t * t - t) / 2,
    (3 * t * t * t - 5 * t * t + 2) / 2,
    (-3 * t * t * t + 4 * t * t + t) / 2,
    (t * t * t - t * t) / 2,
  ];
  const weights = exact.map(weight => Math.floor(weight * UNIT + 0.5));
  weights[phase < PHASES / 2 ? 1 : 2] += UNIT - weights.reduce((sum, weight) => sum + weight);
  return weights;
}

/** The pel, 0..255, of a periodic square plane at (`x`, `y`) / PHASES, any integers. `side` is a power of two. */
export function samplePel(plane: Uint8Array, side: number, x: number, y: number): number {
  const mask = side - 1;
  const column = x >> 6;
  const row = y >> 6;
  const phaseX = (x & (PHASES - 1)) << 2;
  const phaseY = (y & (PHASES - 1)) << 2;
  if ((phaseX | phaseY) === 0) return plane[(row & mask) * side + (column & mask)];
  const x0 = (column - 1) & mask;
  const x1 = column & mask;
  const x2 = (column + 1) & mask;
  const x3 = (column + 2) & mask;
  let sum = 0;
  for (let tap = 0; tap < 4; tap++) {
    const at = ((row + tap - 1) & mask) * side;
    const across =
      WEIGHTS[phaseX] * plane[at + x0] +
      WEIGHTS[phaseX + 1] * plane[at + x1] +
      WEIGHTS[phaseX + 2] * plane[at + x2] +
      WEIGHTS[phaseX + 3] * plane[at + x3];
    sum += WEIGHTS[phaseY + tap] * across;
  }
  return Math.min(255, Math.max(0, (sum + (UNIT * UNIT) / 2) >> 16));
}
