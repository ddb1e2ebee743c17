import { MAX_F_CODE, motionDifferenceBits, smallestFCode } from '../../bitstream/tables/motion-vector-codes.js';
import type { MotionField } from '../../motion/estimator.js';
import type { MacroblockGrid } from '../../picture/picture.js';

/** The vectors that a picture may use (half-pels), and what their differences cost in bits. */
export class VectorCost {
  readonly fCode: number;
  /** Legal components: -16f..16f-1 half-pels, f = 2^(f_code - 1); ISO/IEC 11172-2 §2.4.4.2. */
  readonly least: number;
  readonly greatest: number;
  readonly #grid: MacroblockGrid;
  /** Bits of each component difference, and the index of difference 0. */
  readonly differenceBits: Uint8Array;
  readonly origin: number;

  constructor(grid: MacroblockGrid, fCode: number) {
    this.fCode = fCode;
    this.least = -(16 << (fCode - 1));
    this.greatest = -this.least - 1;
    this.#grid = grid;
    this.differenceBits = motionDifferenceBits(fCode);
    this.origin = 64 << (fCode - 1);
  }

  /** Bits of a vector component as its difference from the predicted one. */
  componentBits(difference: number): number {
    return this.differenceBits[this.origin + difference]!;
  }

  /** Whether the vector is in f_code's range and keeps the macroblock inside the picture. */
  allows(mbX: number, mbY: number, x: number, y: number): boolean {
    if (x < this.least || x > this.greatest || y < this.least || y > this.greatest) return false;
    const left = mbX * 32 + x;
    const top = mbY * 32 + y;
    const grid = this.#grid;
    return left >= 0 && top >= 0 && left <= (grid.codedWidth - 16) * 2 && top <= (grid.codedHeight - 16) * 2;
  }
}

/**
 * Part of the vectors that may stay out of reach. Each f_code more is a bit more for a component of most of the others, and a vector that
 * nothing else wants is seldom right.
 */
const PART_OUT_OF_REACH = 0.02;

/** The f_code with which nearly all macroblocks reach their best vector, with room for half-pel refinement. */
export function fieldFCode({ dx, dy, cost, candidatesPerBlock }: MotionField): number {
  const needing = new Uint32Array(MAX_F_CODE + 1);
  for (let first = 0; first < dx.length; first += candidatesPerBlock) {
    // The estimator's best comes first; the last may be the lookahead's.
    const last = first + candidatesPerBlock - 1;
    const best = cost[last]! < cost[first]! ? last : first;
    const x = dx[best]!;
    const y = dy[best]!;
    needing[smallestFCode(2 * Math.min(x, y) - 1, 2 * Math.max(x, y) + 1)]!++;
  }
  const most = (PART_OUT_OF_REACH * dx.length) / candidatesPerBlock;
  let fCode = MAX_F_CODE;
  for (let beyond = needing[fCode]!; fCode > 1 && beyond <= most; beyond += needing[fCode]!) fCode--;
  return fCode;
}
