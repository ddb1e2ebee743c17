import type { KernelMemory } from '../kernels/kernel-memory.js';
import type { PixelKernels } from '../kernels/pixel-kernels.js';

/** The definition of the pel kernels. */
export function referencePixelKernels(memory: KernelMemory): PixelKernels {
  const pels = memory.u8;

  /** The half-pel prediction of one pel: the mean of 1, 2 or 4 neighbours, halves rounded up. */
  const halfPel = (at: number, stride: number, halfX: number, halfY: number): number => {
    const right = at + halfX;
    const below = at + halfY * stride;
    return (pels[at] + pels[right] + pels[below] + pels[below + halfX] + 2) >> 2;
  };

  const sad = (a: number, aStride: number, b: number, bStride: number, size: number): number => {
    let sum = 0;
    for (let y = 0; y < size; y++) {
      for (let x = 0; x < size; x++) sum += Math.abs(pels[a + y * aStride + x] - pels[b + y * bStride + x]);
    }
    return sum;
  };

  const sse = (a: number, aStride: number, b: number, bStride: number, size: number): number => {
    let sum = 0;
    for (let y = 0; y < size; y++) {
      for (let x = 0; x < size; x++) {
        const difference = pels[a + y * aStride + x] - pels[b + y * bStride + x];
        sum += difference * difference;
      }
    }
    return sum;
  };

  const sadHalfPel = (
    a: number,
    aStride: number,
    reference: number,
    stride: number,
    halfX: number,
    halfY: number,
  ): number => {
    let sum = 0;
    for (let y = 0; y < 16; y++) {
      for (let x = 0; x < 16; x++) {
        const predicted = halfPel(reference + y * stride + x, stride, halfX, halfY);
        sum += Math.abs(pels[a + y * aStride + x] - predicted);
      }
    }
    return sum;
  };

  return {
    sad16x16: (a, aStride, b, bStride) => sad(a, aStride, b, bStride, 16),
    sad8x8: (a, aStride, b, bStride) => sad(a, aStride, b, bStride, 8),
    sse16x16: (a, aStride, b, bStride) => sse(a, aStride, b, bStride, 16),
    sse8x8: (a, aStride, b, bStride) => sse(a, aStride, b, bStride, 8),

    interpolate(target, targetStride, source, sourceStride, size, halfX, halfY) {
      for (let y = 0; y < size; y++) {
        for (let x = 0; x < size; x++) {
          pels[target + y * targetStride + x] = halfPel(source + y * sourceStride + x, sourceStride, halfX, halfY);
        }
      }
    },

    average(target, targetStride, a, aStride, b, bStride, size) {
      for (let y = 0; y < size; y++) {
        for (let x = 0; x < size; x++) {
          pels[target + y * targetStride + x] = (pels[a + y * aStride + x] + pels[b + y * bStride + x] + 1) >> 1;
        }
      }
    },

    copyBlock(target, targetStride, source, sourceStride, size) {
      for (let y = 0; y < size; y++) {
        for (let x = 0; x < size; x++) pels[target + y * targetStride + x] = pels[source + y * sourceStride + x];
      }
    },

    sadHalfPel16x16: sadHalfPel,

    sadHalfPelNeighbours16x16(a, aStride, reference, stride, sads) {
      const above = reference - stride;
      const answer = memory.i32;
      answer[sads / 4] = sadHalfPel(a, aStride, above, stride, 0, 1);
      answer[sads / 4 + 1] = sadHalfPel(a, aStride, reference - 1, stride, 1, 0);
      answer[sads / 4 + 2] = sadHalfPel(a, aStride, reference, stride, 1, 0);
      answer[sads / 4 + 3] = sadHalfPel(a, aStride, reference, stride, 0, 1);
      answer[sads / 4 + 4] = sadHalfPel(a, aStride, above - 1, stride, 1, 1);
      answer[sads / 4 + 5] = sadHalfPel(a, aStride, above, stride, 1, 1);
      answer[sads / 4 + 6] = sadHalfPel(a, aStride, reference - 1, stride, 1, 1);
      answer[sads / 4 + 7] = sadHalfPel(a, aStride, reference, stride, 1, 1);
    },

    sadAverage16x16(a, aStride, other, reference, referenceStride, halfX, halfY) {
      let sum = 0;
      for (let y = 0; y < 16; y++) {
        for (let x = 0; x < 16; x++) {
          const predicted = halfPel(reference + y * referenceStride + x, referenceStride, halfX, halfY);
          sum += Math.abs(pels[a + y * aStride + x] - ((pels[other + y * 16 + x] + predicted + 1) >> 1));
        }
      }
      return sum;
    },

    deviation16x16(a, aStride) {
      let total = 0;
      for (let y = 0; y < 16; y++) for (let x = 0; x < 16; x++) total += pels[a + y * aStride + x];
      const mean = (total + 128) >> 8;
      let sum = 0;
      for (let y = 0; y < 16; y++) for (let x = 0; x < 16; x++) sum += Math.abs(pels[a + y * aStride + x] - mean);
      return sum;
    },

    sadOfMean8x8(a, b, c, stride) {
      let sum = 0;
      for (let row = 0; row < 8 * stride; row += stride) {
        for (let x = row; x < row + 8; x++) sum += Math.abs(pels[a + x] - ((pels[b + x] + pels[c + x] + 1) >> 1));
      }
      return sum;
    },

    halfPelPlanes(planes, width, height) {
      const size = width * height;
      const mean = (a: number, b: number) => (pels[a] + pels[b] + 1) >> 1;
      for (let i = planes; i < planes + size; i++) pels[i + size] = mean(i, i + 1);
      for (let i = planes; i < planes + size - width; i++) {
        pels[i + 2 * size] = mean(i, i + width);
        pels[i + 3 * size] = mean(i + size, i + size + width);
      }
    },

    halveByMeans(target, targetStride, source, width, height) {
      for (let y = 0; y < height / 2; y++) {
        for (let x = 0; x < width / 2; x++) {
          const at = source + 2 * y * width + 2 * x;
          pels[target + y * targetStride + x] =
            (pels[at] + pels[at + 1] + pels[at + width] + pels[at + width + 1] + 2) >> 2;
        }
      }
    },

    deviations8x8(deviations, plane, width, height) {
      const columns = width / 8;
      let total = 0;
      for (let block = 0; block < columns * (height / 8); block++) {
        const first = plane + Math.floor(block / columns) * 8 * width + (block % columns) * 8;
        let sum = 0;
        for (let y = 0; y < 8; y++) for (let x = 0; x < 8; x++) sum += pels[first + y * width + x];
        const mean = (sum + 32) >> 6;
        let deviation = 0;
        for (let y = 0; y < 8; y++)
          for (let x = 0; x < 8; x++) deviation += Math.abs(pels[first + y * width + x] - mean);
        memory.u16[deviations / 2 + block] = deviation;
        total += sum;
      }
      return total;
    },

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
