// What the searches of a macroblock share: its pels, its matches, its legal vectors, and what their bits cost.
import type { KernelMemory } from '../../kernels/kernel-memory.js';
import type { CandidateSearch } from '../../kernels/records/candidate-search.js';
import { PICTURE_PLANES } from '../../kernels/records/picture-planes.js';

/** Pointers to the macroblock's source pels and to the pels that a vector names, with their strides. */
export function placesOf(memory: KernelMemory, search: CandidateSearch, dxHalfPels: number, dyHalfPels: number) {
  const source = PICTURE_PLANES.at(memory, search.source);
  const reference = PICTURE_PLANES.at(memory, search.reference);
  const { mbX, mbY } = search;
  const matchY = mbY * 16 + (dyHalfPels >> 1);
  return {
    pels: source.y + mbY * 16 * source.lumaStride + mbX * 16,
    stride: source.lumaStride,
    match: reference.y + matchY * reference.lumaStride + mbX * 16 + (dxHalfPels >> 1),
    matchStride: reference.lumaStride,
  };
}

/** Whether a vector is in the range of f_code and keeps the macroblock inside the picture. */
export function isLegal(search: CandidateSearch, dxHalfPels: number, dyHalfPels: number): boolean {
  const { minHalfPels, maxHalfPels } = search;
  if (Math.min(dxHalfPels, dyHalfPels) < minHalfPels || Math.max(dxHalfPels, dyHalfPels) > maxHalfPels) return false;
  const x = search.mbX * 32 + dxHalfPels;
  const y = search.mbY * 32 + dyHalfPels;
  return x >= 0 && y >= 0 && x <= search.maxXHalfPels && y <= search.maxYHalfPels;
}

/** lambda * bits of a vector. */
export function bitCost({ u8 }: KernelMemory, search: CandidateSearch, dxHalfPels: number, dyHalfPels: number): number {
  const { differenceBits, predictedDxHalfPels, predictedDyHalfPels, lambda } = search;
  const dxBits = u8[differenceBits + dxHalfPels - predictedDxHalfPels];
  return lambda * (dxBits + u8[differenceBits + dyHalfPels - predictedDyHalfPels]);
}
