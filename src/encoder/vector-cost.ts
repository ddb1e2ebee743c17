import { motionDifferenceBits } from '../bitstream/motion-vector-codes.js';
import type { MotionField } from '../motion/estimator.js';
import type { MacroblockGrid } from '../picture/picture.js';

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

/** The extremes of a field's best vectors, in half-pels with room for half-pel refinement, at least -1..1. */
export function fieldExtent({ dx, dy, candidatesPerBlock }: MotionField): { least: number; greatest: number } {
  let least = 0;
  let greatest = 0;
  for (let i = 0; i < dx.length; i += candidatesPerBlock) {
    least = Math.min(least, dx[i]!, dy[i]!);
    greatest = Math.max(greatest, dx[i]!, dy[i]!);
  }
  return { least: least * 2 - 1, greatest: greatest * 2 + 1 };
}
