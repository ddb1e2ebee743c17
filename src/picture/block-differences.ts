// Differences of blocks: how far pels lie from their mean, and from other pels.
import type { PictureKernels } from '../kernels/contracts/picture-kernels.js';
import type { KernelMemory } from '../kernels/kernel-memory.js';

/** Sum of squared differences of two 8x8 blocks. */
export function sse8x8(pels: Uint8Array, a: number, aStride: number, b: number, bStride: number): number {
  let sum = 0;
  for (let y = 0; y < 8; y++) {
    for (let x = 0; x < 8; x++) {
      const difference = pels[a + y * aStride + x] - pels[b + y * bStride + x];
      sum += difference * difference;
    }
  }
  return sum;
}

/** Sum of the pels of a square block, and sum of |pel - mean|, the mean rounded. */
export function deviation(
  pels: Uint8Array,
  at: number,
  stride: number,
  size: number,
): { readonly sum: number; readonly deviation: number } {
  let sum = 0;
  for (let y = 0; y < size; y++) for (let x = 0; x < size; x++) sum += pels[at + y * stride + x];
  const mean = Math.floor(sum / (size * size) + 0.5);
  let deviation = 0;
  for (let y = 0; y < size; y++) for (let x = 0; x < size; x++) deviation += Math.abs(pels[at + y * stride + x] - mean);
  return { sum, deviation };
}

/** The definition of the kernels on differences. */
export function referenceBlockDifferences({
  u8: pels,
}: KernelMemory): Pick<PictureKernels, 'deviation16x16' | 'sumSquaredDifferences'> {
  return {
    deviation16x16: (at, stride) => deviation(pels, at, stride, 16).deviation,

    sumSquaredDifferences(a, b, length) {
      let sum = 0;
      for (let i = 0; i < length; i++) {
        const difference = pels[a + i] - pels[b + i];
        sum += difference * difference;
      }
      return sum;
    },
  };
}
