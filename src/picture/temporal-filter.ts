// Filters the luma of a source picture with pictures around it, along its motion: noise falls, and what moves stays.
import type { PictureKernels } from '../kernels/contracts/picture-kernels.js';
import type { KernelMemory } from '../kernels/kernel-memory.js';
import { TEMPORAL_FILTER, type TemporalFilter } from '../kernels/records/picture-planes.js';

/** The six taps of the filter for each position in quarter-pels, over the pels -2..+3, in 64ths. */
const TAPS = [
  [0, 0, 64, 0, 0, 0],
  [3, -10, 58, 17, -5, 1],
  [3, -11, 40, 40, -11, 3],
  [1, -5, 17, 58, -10, 3],
] as const;

/** A block of 256 pels from a reference, and the weight that `filteredPel` derives those of its pels from. */
interface WeighedBlock {
  readonly pels: Uint8Array;
  readonly weight: number;
}

/** What a pel of the picture itself counts. */
const OWN_WEIGHT = 1 << 8;

/** How differences of pels count, as the record says. */
type PelRanges = Pick<TemporalFilter, 'pelLimit' | 'pelFactor' | 'pelSquare'>;

/** A macroblock in its plane. */
interface Macroblock {
  readonly plane: number;
  readonly x: number;
  readonly y: number;
}

/** Where a parabola through three sums of squared differences is lowest, in quarter-pels, -2..2. */
function lowestQuarter(before: number, here: number, after: number): number {
  const curvature = before + after - 2 * here;
  if (curvature <= 0) return 0;
  const slope = 2 * (before - after);
  const quarters = Math.floor((2 * Math.abs(slope) + curvature) / (2 * curvature));
  return Math.sign(slope) * Math.min(quarters, 2);
}

/** Whether 16 pels from `at` on lie in a line of `length`, with the pels that the taps reach beside them. */
function isInside(at: number, quarters: number, length: number): boolean {
  const [before, after] = quarters === 0 ? [0, 0] : [2, 3];
  return at - before >= 0 && at + 15 + after < length;
}

/** The pel between six pels at -2..+3, rounded; the pel at 0 where it alone counts. */
function interpolated(taps: readonly number[], pelAt: (place: number) => number): number {
  const sum = taps.reduce((sum, tap, i) => (tap === 0 ? sum : sum + tap * pelAt(i - 2)), 0);
  return Math.min(Math.max((sum + 32) >> 6, 0), 255);
}

/** The sum of absolute differences of 256 pels. */
function sadOf(a: Uint8Array, b: Uint8Array): number {
  return a.reduce((sum, pel, i) => sum + Math.abs(pel - b[i]), 0);
}

/** The sum of the squared differences of 256 pels. */
function squaresOf(a: Uint8Array, b: Uint8Array): number {
  return a.reduce((sum, pel, i) => sum + (pel - b[i]) ** 2, 0);
}

/** 1 - squares / maxSquares in 2^-15 units, rounded up. */
const nearnessOf = (squares: number, maxSquares: number) => (1 << 15) - Math.floor((2 ** 15 * squares) / maxSquares);

/** A pel, filtered with those of the references. */
function filteredPel(own: number, at: number, references: readonly WeighedBlock[], ranges: PelRanges): number {
  const { pelLimit, pelFactor, pelSquare } = ranges;
  let sum = 0;
  let weights = OWN_WEIGHT;
  for (const { pels, weight } of references) {
    const difference = pels[at] - own;
    if (Math.abs(difference) >= pelLimit) continue;
    const nearness = (pelSquare - pelFactor * difference ** 2) >> 7;
    const counts = (((nearness ** 2) >> 8) * weight) >> 8;
    sum += counts * difference;
    weights += counts;
  }
  return own + Math.floor(sum / weights + 0.5);
}

/** The definition of the kernel. */
export function referenceTemporalFilter(memory: KernelMemory): Pick<PictureKernels, 'filterLumaRow'> {
  const { u8, i16 } = memory;
  return {
    filterLumaRow(pointer, mbY) {
      const job = TEMPORAL_FILTER.at(memory, pointer);
      const width = 16 * job.mbWidth;
      const height = 16 * job.mbHeight;

      const blockAt = ({ plane, x, y }: Macroblock): Uint8Array =>
        Uint8Array.from({ length: 256 }, (_, i) => u8[plane + (y + (i >> 4)) * width + x + (i & 15)]);

      /** An interpolated block: along its rows, then along its columns. */
      const blockBetween = ({ plane, x, y }: Macroblock, tapsX: readonly number[], tapsY: readonly number[]) =>
        Uint8Array.from({ length: 256 }, (_, i) => {
          const at = plane + (y + (i >> 4)) * width + x + (i & 15);
          return interpolated(tapsY, row => interpolated(tapsX, column => u8[at + row * width + column]));
        });

      /** The block of a reference that is nearest to `own`: its match, or what lies up to half a pel beside it. */
      const nearestBlock = (own: Uint8Array, match: Macroblock): Uint8Array => {
        const { plane, x, y } = match;
        const whole = blockAt(match);
        const squares = (dx: number, dy: number) => squaresOf(own, blockAt({ plane, x: x + dx, y: y + dy }));
        const here = squares(0, 0);
        const fx = x === 0 || x + 16 === width ? 0 : lowestQuarter(squares(-1, 0), here, squares(1, 0));
        const fy = y === 0 || y + 16 === height ? 0 : lowestQuarter(squares(0, -1), here, squares(0, 1));
        const place = { plane, x: x + (fx >> 2), y: y + (fy >> 2) };
        if ((fx === 0 && fy === 0) || !isInside(place.x, fx, width) || !isInside(place.y, fy, height)) return whole;
        const between = blockBetween(place, TAPS[fx & 3], TAPS[fy & 3]);
        return squaresOf(own, between) < here ? between : whole;
      };

      /**
       * The match of the macroblock at `address` in reference `i`: by its own vector, or at its own place where that
       * vector leads out of the plane, or by the vector of a macroblock to its left or right, above or below, if the
       * SAD is smaller.
       */
      const matchIn = (i: number, own: Uint8Array, address: number, x: number, y: number): Macroblock => {
        const plane = job.planes[i];
        const matchBy = (other: number): Macroblock => ({
          plane,
          x: x + job.signs[i] * i16[job.dx[i] / 2 + other],
          y: y + job.signs[i] * i16[job.dy[i] / 2 + other],
        });
        const isInPlane = (match: Macroblock) =>
          match.x >= 0 && match.y >= 0 && match.x + 16 <= width && match.y + 16 <= height;
        const others: number[] = [];
        if (x > 0) others.push(address - 1);
        if (x + 16 < width) others.push(address + 1);
        if (y > 0) others.push(address - job.mbWidth);
        if (y + 16 < height) others.push(address + job.mbWidth);
        let match = matchBy(address);
        if (!isInPlane(match)) match = { plane, x, y };
        for (const other of others.map(matchBy).filter(isInPlane)) {
          if (sadOf(own, blockAt(other)) < sadOf(own, blockAt(match))) match = other;
        }
        return match;
      };

      const y = 16 * mbY;
      for (let mbX = 0; mbX < job.mbWidth; mbX++) {
        const x = 16 * mbX;
        const own = blockAt({ plane: job.current, x, y });
        const references: WeighedBlock[] = [];
        for (let i = 0; i < job.count; i++) {
          const pels = nearestBlock(own, matchIn(i, own, mbY * job.mbWidth + mbX, x, y));
          const squares = squaresOf(own, pels);
          if (squares >= job.maxSquares) continue;
          const nearness = nearnessOf(squares, job.maxSquares);
          references.push({ pels, weight: (((nearness ** 2) >> 15) * job.strengths[i]) >> 15 });
        }
        for (const [i, pel] of own.entries()) {
          u8[job.target + (y + (i >> 4)) * width + x + (i & 15)] = filteredPel(pel, i, references, job);
        }
      }
    },
  };
}
