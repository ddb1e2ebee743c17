// The vectors that a picture may use.

import { maxVectorHalfPels, minVectorHalfPels } from '../../bitstream/tables/motion-vector-codes.js';
import { MACROBLOCK_SIZE, type MacroblockGrid } from '../../picture/picture.js';

/** The vectors of one direction that f_code allows and that keep a macroblock inside the picture. */
export class VectorRange {
  readonly fCode: number;
  /** Smallest and largest component by f_code. */
  readonly minHalfPels: number;
  readonly maxHalfPels: number;
  /** Largest place of a macroblock's first pel in the picture. */
  readonly maxXHalfPels: number;
  readonly maxYHalfPels: number;

  constructor({ codedWidth, codedHeight }: MacroblockGrid, fCode: number) {
    this.fCode = fCode;
    this.minHalfPels = minVectorHalfPels(fCode);
    this.maxHalfPels = maxVectorHalfPels(fCode);
    this.maxXHalfPels = 2 * (codedWidth - MACROBLOCK_SIZE);
    this.maxYHalfPels = 2 * (codedHeight - MACROBLOCK_SIZE);
  }

  /** Whether macroblock (mbX, mbY) may have the vector. */
  allows(mbX: number, mbY: number, dxHalfPels: number, dyHalfPels: number): boolean {
    if (Math.min(dxHalfPels, dyHalfPels) < this.minHalfPels) return false;
    if (Math.max(dxHalfPels, dyHalfPels) > this.maxHalfPels) return false;
    const x = 2 * mbX * MACROBLOCK_SIZE + dxHalfPels;
    const y = 2 * mbY * MACROBLOCK_SIZE + dyHalfPels;
    return x >= 0 && y >= 0 && x <= this.maxXHalfPels && y <= this.maxYHalfPels;
  }
}
