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

/** Reads a row of a plane into pels: at height `y` / PHASES. */
export type RowReader = (y: number, pels: Uint8Array) => void;

/**
 * A reader of level rows of a plane, at `columns` / PHASES of each. The taps across are added up once for each row of
 * the plane, of which the last four are kept. The pels are those of `samplePel`.
 */
export function rowReader(plane: Uint8Array, side: number, columns: Int32Array): RowReader {
  const mask = side - 1;
  const kept = [0, 1, 2, 3].map(() => ({ row: -1, sums: new Int32Array(columns.length) }));
  const across = (row: number): Int32Array => {
    const line = kept[row & 3];
    if (line.row !== row) addAcross(plane.subarray(row * side, (row + 1) * side), columns, line.sums);
    line.row = row;
    return line.sums;
  };
  const isWhole = columns.every(x => (x & (PHASES - 1)) === 0);
  return (y, pels) => {
    const row = (y >> 6) & mask;
    const phase = (y & (PHASES - 1)) << 2;
    if (isWhole && phase === 0) return pickPels(plane.subarray(row * side, (row + 1) * side), columns, pels);
    const rows = [-1, 0, 1, 2].map(tap => across((row + tap) & mask));
    addDown(rows, phase, pels);
  };
}

function pickPels(row: Uint8Array, columns: Int32Array, pels: Uint8Array): void {
  const mask = row.length - 1;
  for (let i = 0; i < pels.length; i++) pels[i] = row[(columns[i] >> 6) & mask];
}

function addAcross(row: Uint8Array, columns: Int32Array, sums: Int32Array): void {
  const mask = row.length - 1;
  for (let i = 0; i < sums.length; i++) {
    const column = columns[i] >> 6;
    const phase = (columns[i] & (PHASES - 1)) << 2;
    sums[i] =
      WEIGHTS[phase] * row[(column - 1) & mask] +
      WEIGHTS[phase + 1] * row[column & mask] +
      WEIGHTS[phase + 2] * row[(column + 1) & mask] +
      WEIGHTS[phase + 3] * row[(column + 2) & mask];
  }
}

function addDown([above, at, below, last]: readonly Int32Array[], phase: number, pels: Uint8Array): void {
  const [w0, w1, w2, w3] = [WEIGHTS[phase], WEIGHTS[phase + 1], WEIGHTS[phase + 2], WEIGHTS[phase + 3]];
  for (let i = 0; i < pels.length; i++) {
    const sum = w0 * above[i] + w1 * at[i] + w2 * below[i] + w3 * last[i];
    pels[i] = Math.min(255, Math.max(0, (sum + (UNIT * UNIT) / 2) >> 16));
  }
}
