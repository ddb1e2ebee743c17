// The cost of a vector beside its metric: lambda times the bits that MPEG-1 codes it with.
import { MOTION_CODE_LENGTHS, smallestFCode } from '../bitstream/tables/motion-vector-codes.js';
import type { EstimatorParameters } from './estimator.js';

/** What is searched: {@link EstimatorParameters}, or what stands for them at a coarser resolution. */
export interface SearchArea extends Pick<EstimatorParameters, 'width' | 'height' | 'range'> {
  /** Side of a block in pels. */
  readonly blockSize: number;
}

/** Largest |dx| and |dy| that are searched, in pels: the range, cut to the picture. */
export function searchReach(parameters: SearchArea): { readonly x: number; readonly y: number } {
  const { width, height, blockSize, range } = parameters;
  const x = width - blockSize;
  const y = height - blockSize;
  return range === 'picture' ? { x, y } : { x: Math.min(range.x, x), y: Math.min(range.y, y) };
}

/**
 * Bits of one component of a vector, `displacement` full pels from its prediction: the motion code of ISO/IEC 11172-2
 * table B.4 and the residual bits of `fCode`. A displacement beyond the range of `fCode` costs as much as the longest
 * code.
 */
export function componentBits(displacement: number, fCode: number): number {
  const halfPels = 2 * Math.abs(displacement);
  if (halfPels === 0) return MOTION_CODE_LENGTHS[0]!;
  const rSize = fCode - 1;
  const motionCode = Math.min(16, ((halfPels - 1) >> rSize) + 1);
  return MOTION_CODE_LENGTHS[motionCode]! + rSize;
}

/** The f_code for both components: the smallest that holds the search range and one half-pel more. */
export function searchFCode(parameters: SearchArea): number {
  const { width, height, blockSize, range } = parameters;
  const maxPels = range === 'picture' ? Math.max(width, height) - blockSize : Math.max(range.x, range.y);
  return smallestFCode(-(2 * maxPels + 1), 2 * maxPels + 1);
}

/** `Math.round(lambda * bits)` by |displacement| 0..`reach` in pels: one component's share of a vector's cost. */
export function penaltyTable(parameters: SearchArea & Pick<EstimatorParameters, 'lambda'>, reach: number): Uint32Array {
  const fCode = searchFCode(parameters);
  return Uint32Array.from({ length: reach + 1 }, (_, displacement) =>
    Math.round(parameters.lambda * componentBits(displacement, fCode)),
  );
}
