// Finds what the right picture does not show, and fills it with what lies behind.
import type { StereoKernels } from '../../kernels/contracts/stereo-kernels.js';
import type { KernelMemory } from '../../kernels/kernel-memory.js';
import { DISPARITY_TOLERANCE, STEREO_JOB, UNKNOWN_DISPARITY } from '../../kernels/records/stereo-job.js';

/** The definition of the kernels for occlusions. */
export function referenceOcclusions(memory: KernelMemory): Pick<StereoKernels, 'checkDisparities' | 'fillDisparities'> {
  const { i16 } = memory;
  return {
    checkDisparities(pointer, row) {
      const { width, leftDisparities, rightDisparities } = STEREO_JOB.at(memory, pointer);
      const left = leftDisparities / 2 + row * width;
      const right = rightDisparities / 2 + row * width;
      for (let x = 0; x < width; x++) {
        const match = x - ((i16[left + x] + 8) >> 4);
        const isSeen = match >= 0 && Math.abs(i16[right + match] - i16[left + x]) <= DISPARITY_TOLERANCE;
        if (!isSeen) i16[left + x] = UNKNOWN_DISPARITY;
      }
    },

    fillDisparities(pointer, row) {
      const { width, leftDisparities } = STEREO_JOB.at(memory, pointer);
      const disparities = leftDisparities / 2 + row * width;
      const known = i16.slice(disparities, disparities + width);
      for (let x = 0; x < width; x++) {
        if (known[x] !== UNKNOWN_DISPARITY) continue;
        let [before, after] = [x, x];
        while (before >= 0 && known[before] === UNKNOWN_DISPARITY) before--;
        while (after < width && known[after] === UNKNOWN_DISPARITY) after++;
        const nearest = [...(before >= 0 ? [known[before]] : []), ...(after < width ? [known[after]] : [])];
        i16[disparities + x] = nearest.length === 0 ? 0 : Math.min(...nearest);
      }
    },
  };
}
