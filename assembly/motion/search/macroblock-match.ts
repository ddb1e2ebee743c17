// What the searches of a macroblock share: its pels, its matches, its legal vectors, and what their bits cost.
import { CandidateSearch } from '../../generated/records';
import { lumaOf } from '../../picture/macroblock-blocks';

/** Legal components of a vector: in the range of f_code, and inside the picture. */
let minDx: i32 = 0;
let minDy: i32 = 0;
let maxDx: i32 = 0;
let maxDy: i32 = 0;
/** The macroblock's first pel, the pel of the zero vector, and the strides of both. */
export let pels: usize = 0;
export let stride: usize = 0;
let zeroMatch: usize = 0;
export let matchStride: usize = 0;
/** Bits of a difference, at the entries of a component of 0. */
let bitsOfDx: usize = 0;
let bitsOfDy: usize = 0;
let lambda: f64 = 0;

/** Makes the macroblock of a search the one that the other functions work on. */
export function openSearch(search: CandidateSearch): void {
  const mbX = search.mbX;
  const mbY = search.mbY;
  minDx = max(search.minHalfPels, -32 * mbX);
  minDy = max(search.minHalfPels, -32 * mbY);
  maxDx = min(search.maxHalfPels, search.maxXHalfPels - 32 * mbX);
  maxDy = min(search.maxHalfPels, search.maxYHalfPels - 32 * mbY);
  const source = search.source;
  const reference = search.reference;
  stride = source.lumaStride;
  matchStride = reference.lumaStride;
  pels = lumaOf(source, mbX, mbY);
  zeroMatch = lumaOf(reference, mbX, mbY);
  bitsOfDx = search.differenceBits - <usize>search.predictedDxHalfPels;
  bitsOfDy = search.differenceBits - <usize>search.predictedDyHalfPels;
  lambda = search.lambda;
}

/** Whether a vector is in the range of f_code and keeps the macroblock inside the picture. */
// @ts-ignore: decorator
@inline
export function isLegal(dx: i32, dy: i32): bool {
  return dx >= minDx && dx <= maxDx && dy >= minDy && dy <= maxDy;
}

/** lambda * bits of a vector. */
// @ts-ignore: decorator
@inline
export function bitCost(dx: i32, dy: i32): f64 {
  return lambda * <f64>(<i32>load<u8>(bitsOfDx + <usize>dx) + <i32>load<u8>(bitsOfDy + <usize>dy));
}

/** Whether a vector and its eight half-pel neighbours are legal. */
// @ts-ignore: decorator
@inline
export function isLegalAround(dx: i32, dy: i32): bool {
  return dx > minDx && dx < maxDx && dy > minDy && dy < maxDy;
}

/** The pel that a vector in half-pels names. */
// @ts-ignore: decorator
@inline
export function matchOf(dx: i32, dy: i32): usize {
  return zeroMatch + <usize>((dy >> 1) * <i32>matchStride + (dx >> 1));
}
