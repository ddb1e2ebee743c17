import { MOTION_CODE_LENGTHS, smallestFCode } from '../bitstream/tables/motion-vector-codes.js';
import type { EstimatorParameters } from './estimator.js';

/** Largest lambda: with it, any cost still fits 31 bits. */
export const MAX_LAMBDA = 1_000_000;

/** Largest |dx| and |dy| that are searched, in pels: the range, but never beyond the picture. */
export function searchReach(parameters: EstimatorParameters): { readonly x: number; readonly y: number } {
  const { width, height, blockSize, range } = parameters;
  const x = width - blockSize;
  const y = height - blockSize;
  return range === 'picture' ? { x, y } : { x: Math.min(range.x, x), y: Math.min(range.y, y) };
}

/**
 * Bits of one component of a vector, `displacement` full pels from its prediction, by the table of ISO/IEC 11172-2 B.4
 * with the residual bits of `fCode`. What lies beyond the f_code's range costs as much as its longest code.
 */
export function vectorBits(displacement: number, fCode: number): number {
  const halfPels = 2 * Math.abs(displacement);
  if (halfPels === 0) return MOTION_CODE_LENGTHS[0]!;
  const rSize = fCode - 1;
  const motionCode = Math.min(16, ((halfPels - 1) >> rSize) + 1);
  return MOTION_CODE_LENGTHS[motionCode]! + rSize;
}

/** The f_code for both components: the smallest whose range holds the search range in half-pels and one half-pel more. */
export function searchFCode(parameters: EstimatorParameters): number {
  const { width, height, blockSize, range } = parameters;
  const widest = range === 'picture' ? Math.max(width, height) - blockSize : Math.max(range.x, range.y);
  return smallestFCode(-(2 * widest + 1), 2 * widest + 1);
}

/** `Math.round(lambda * bits)` of each |displacement| 0..reach: one component's share of a vector's cost. */
export function penaltyTable(parameters: EstimatorParameters, reach: number): Uint32Array {
  const fCode = searchFCode(parameters);
  return Uint32Array.from({ length: reach + 1 }, (_, displacement) =>
    Math.round(parameters.lambda * vectorBits(displacement, fCode)),
  );
}

/** A vector with its cost. */
export interface CostedVector {
  readonly dx: number;
  readonly dy: number;
  readonly cost: number;
}

/** The contract's order of vectors: negative when `a` comes before `b`, 0 only when they are equal. */
export function compareVectors(a: CostedVector, b: CostedVector): number {
  return (
    a.cost - b.cost || Math.abs(a.dx) + Math.abs(a.dy) - Math.abs(b.dx) - Math.abs(b.dy) || a.dy - b.dy || a.dx - b.dx
  );
}
