// Prepares a plane for searching: half the resolution, and the sums of its blocks.
import type { SearchKernels } from '../../kernels/contracts/search-kernels.js';
import type { KernelMemory } from '../../kernels/kernel-memory.js';

/** Weights of the separable low-pass, in eighths, over the pels 2x - 1 .. 2x + 2. */
const WEIGHTS = [1, 3, 3, 1];

/** The definition of the kernels that prepare a plane for searching. */
export function referencePyramid(memory: KernelMemory): Pick<SearchKernels, 'blockSums' | 'halvePlane'> {
  const { u8, u16 } = memory;

  const sumBlocks = (target: number, size: number, plane: number, width: number, height: number): void => {
    for (let y = 0; y <= height - size; y++) {
      for (let x = 0; x <= width - size; x++) {
        let sum = 0;
        for (let j = 0; j < size; j++) {
          for (let i = 0; i < size; i++) sum += u8[plane + (y + j) * width + x + i];
        }
        u16[target / 2 + y * width + x] = sum;
      }
    }
  };

  return {
    blockSums(sums4, sums8, sums16, plane, width, height) {
      sumBlocks(sums4, 4, plane, width, height);
      sumBlocks(sums8, 8, plane, width, height);
      sumBlocks(sums16, 16, plane, width, height);
    },

    halvePlane(target, source, width, height) {
      const pel = (x: number, y: number): number =>
        u8[source + Math.max(0, Math.min(height - 1, y)) * width + Math.max(0, Math.min(width - 1, x))];
      for (let y = 0; y < height / 2; y++) {
        for (let x = 0; x < width / 2; x++) {
          let sum = 0;
          for (let j = 0; j < 4; j++) {
            for (let i = 0; i < 4; i++) sum += WEIGHTS[i] * WEIGHTS[j] * pel(2 * x - 1 + i, 2 * y - 1 + j);
          }
          u8[target + y * (width / 2) + x] = (sum + 32) >> 6;
        }
      }
    },
  };
}
