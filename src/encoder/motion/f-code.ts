// f_code, found twice: before a picture is coded, from the vectors proposed; after that, from the vectors used.

import { MACROBLOCK_MOTION_BACKWARD, MACROBLOCK_MOTION_FORWARD } from '../../bitstream/tables/macroblock-codes.js';
import { smallestFCode } from '../../bitstream/tables/motion-vector-codes.js';
import { MAX_EXTENT_BITS } from '../../kernels/contracts/field-kernels.js';
import type { VectorSearchPlaces, Workspace } from '../picture/workspace.js';

/**
 * The part of the macroblocks whose best vector f_code need not hold: with each f_code more, most other vectors take
 * two bits more. 0.25 % fewer bits than with none left out; with 0.06, more bits than with none.
 */
const PART_OUT_OF_REACH = 0.02;

/** What the search of one direction begins with. */
export interface ProposedVectors {
  readonly places: Pick<VectorSearchPlaces, 'fieldDx' | 'fieldDy'>;
  /** Vectors proposed for a macroblock, the best one first; 0 where none are proposed. */
  readonly candidates: number;
}

/**
 * The f_code that the coder keeps to in one direction, at most `maxFCode`: it holds nearly all best proposals, which
 * lie in kernel memory, and their half-pel neighbours.
 */
export function coderFCode(
  { memory, kernels, grid, extentCounts }: Pick<Workspace, 'memory' | 'kernels' | 'grid' | 'extentCounts'>,
  { places, candidates }: ProposedVectors,
  maxFCode: number,
): number {
  if (candidates === 0) return 1;
  const macroblocks = grid.mbWidth * grid.mbHeight;
  const first = extentCounts >> 2;
  const counts = memory.u32.subarray(first, first + MAX_EXTENT_BITS + 1);
  counts.fill(0); // not chained: what fill returns goes on reading as 0 in Firefox 153, whatever is written later
  kernels.countExtents(extentCounts, places.fieldDx, places.fieldDy, candidates, macroblocks);
  const maxOutOfReach = PART_OUT_OF_REACH * macroblocks;
  let bits = MAX_EXTENT_BITS;
  for (let beyond = counts[bits]!; bits > 0 && beyond <= maxOutOfReach; beyond += counts[bits]!) bits--;
  return Math.min(maxFCode, smallestFCode(-(1 << bits), (1 << bits) - 1));
}

/** The f_code that the picture header gives for one direction: the smallest that holds all vectors used. */
export function headerFCode(
  { kernels, grid, symbols }: Pick<Workspace, 'kernels' | 'grid' | 'symbols'>,
  direction: 'forward' | 'backward',
): number {
  const { flags, forwardDx, forwardDy, backwardDx, backwardDy } = symbols;
  const macroblocks = grid.mbWidth * grid.mbHeight;
  const extent =
    direction === 'forward'
      ? kernels.vectorExtent(flags, MACROBLOCK_MOTION_FORWARD, forwardDx, forwardDy, macroblocks)
      : kernels.vectorExtent(flags, MACROBLOCK_MOTION_BACKWARD, backwardDx, backwardDy, macroblocks);
  return smallestFCode(-1 - extent, extent);
}
