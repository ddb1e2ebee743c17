// Takes single outliers out of a map of disparities.
import type { StereoKernels } from '../../kernels/contracts/stereo-kernels.js';
import type { KernelMemory } from '../../kernels/kernel-memory.js';
import { STEREO_JOB } from '../../kernels/records/stereo-job.js';

/** The definition of the median filter. */
export function referenceMedianFilter(memory: KernelMemory): Pick<StereoKernels, 'filterDisparities'> {
  const { i16 } = memory;
  return {
    filterDisparities(pointer, side) {
      const { width, height, leftDisparities, rightDisparities } = STEREO_JOB.at(memory, pointer);
      const map = (side === 0 ? leftDisparities : rightDisparities) / 2;
      const source = i16.slice(map, map + width * height);
      const entry = (x: number, y: number): number =>
        source[Math.max(0, Math.min(height - 1, y)) * width + Math.max(0, Math.min(width - 1, x))];
      const nine = new Int16Array(9);
      for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
          for (let i = 0; i < 9; i++) nine[i] = entry(x - 1 + (i % 3), y - 1 + Math.floor(i / 3));
          i16[map + y * width + x] = nine.sort()[4];
        }
      }
    },
  };
}
