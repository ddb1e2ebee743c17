// Chooses the disparity of the least sum for each pel of both pictures.
import type { StereoKernels } from '../../kernels/contracts/stereo-kernels.js';
import type { KernelMemory } from '../../kernels/kernel-memory.js';
import { STEREO_JOB } from '../../kernels/records/stereo-job.js';

/** The definition of the kernel that selects disparities. */
export function referenceDisparitySelection(memory: KernelMemory): Pick<StereoKernels, 'selectDisparities'> {
  const { i16, u16 } = memory;
  return {
    selectDisparities(pointer, row) {
      const job = STEREO_JOB.at(memory, pointer);
      const { width, range } = job;
      const sumOf = (x: number, d: number): number => u16[job.pathSums / 2 + (row * width + x) * range + d];
      for (let x = 0; x < width; x++) {
        const inside = Math.min(range, x + 1);
        const left = leastOf(inside, d => sumOf(x, d));
        const isInner = left > 0 && left < inside - 1;
        const part = isInner ? sixteenths(sumOf(x, left - 1), sumOf(x, left), sumOf(x, left + 1)) : 0;
        i16[job.leftDisparities / 2 + row * width + x] = 16 * left + part;
        const right = leastOf(Math.min(range, width - x), d => sumOf(x + d, d));
        i16[job.rightDisparities / 2 + row * width + x] = 16 * right;
      }
    },
  };
}

/** The first of `count` numbers whose cost is the least. */
function leastOf(count: number, costOf: (number: number) => number): number {
  let best = 0;
  for (let number = 1; number < count; number++) if (costOf(number) < costOf(best)) best = number;
  return best;
}

/**
 * How far the lowest point of the parabola through three sums is from the middle one, which is the least: -8..8
 * sixteenths. It is (a - c) / (2 (a + c)), where a and c are how much higher the sums are to either side, rounded to
 * sixteenths without a negative dividend.
 */
function sixteenths(before: number, least: number, after: number): number {
  const a = before - least;
  const c = after - least;
  return a + c === 0 ? 0 : Math.floor((33 * a + c) / (2 * (a + c))) - 8;
}
