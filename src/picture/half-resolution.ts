// Pictures at half resolution, for the lookahead: halving, planes between the pels, deviations, SADs against a mean.
import type { PictureKernels } from '../kernels/contracts/picture-kernels.js';
import type { KernelMemory } from '../kernels/kernel-memory.js';
import { deviation } from './block-differences.js';

type HalfResolutionKernels = Pick<PictureKernels, 'halveByMeans' | 'halfPelPlanes' | 'deviations8x8' | 'sadOfMean8x8'>;

/** The definition of the kernels at half resolution. */
export function referenceHalfResolution({ u8: pels, u16 }: KernelMemory): HalfResolutionKernels {
  return {
    halveByMeans(target, targetStride, source, width, height) {
      for (let y = 0; y < height / 2; y++) {
        for (let x = 0; x < width / 2; x++) {
          const at = source + 2 * y * width + 2 * x;
          pels[target + y * targetStride + x] =
            (pels[at] + pels[at + 1] + pels[at + width] + pels[at + width + 1] + 2) >> 2;
        }
      }
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

    deviations8x8(deviations, plane, width, height) {
      let block = deviations / 2;
      let total = 0;
      for (let y = 0; y < height; y += 8) {
        for (let x = 0; x < width; x += 8) {
          const of = deviation(pels, plane + y * width + x, width, 8);
          u16[block++] = of.deviation;
          total += of.sum;
        }
      }
      return total;
    },

    sadOfMean8x8(block, past, future, stride) {
      let sum = 0;
      for (let row = 0; row < 8 * stride; row += stride) {
        for (let i = row; i < row + 8; i++) {
          sum += Math.abs(pels[block + i] - ((pels[past + i] + pels[future + i] + 1) >> 1));
        }
      }
      return sum;
    },
  };
}
