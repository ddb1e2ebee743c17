// What pels are compared by: a census of their neighbourhood, and the interval of their values.
import type { StereoKernels } from '../../kernels/contracts/stereo-kernels.js';
import type { KernelMemory } from '../../kernels/kernel-memory.js';
import { STEREO_JOB } from '../../kernels/records/stereo-job.js';

/** Pels on each side of the centre that a census looks at. */
const CENSUS_RADIUS = 2;

/** The definition of the kernel that describes pels. */
export function referencePelFeatures(memory: KernelMemory): Pick<StereoKernels, 'describePels'> {
  const { u8, u32 } = memory;
  return {
    describePels(pointer, side) {
      const job = STEREO_JOB.at(memory, pointer);
      const { width, height } = job;
      const [plane, census] = side === 0 ? [job.left, job.leftCensus] : [job.right, job.rightCensus];
      const [low, high] = side === 0 ? [job.leftLow, job.leftHigh] : [job.rightLow, job.rightHigh];
      const pel = (x: number, y: number): number =>
        u8[plane + Math.max(0, Math.min(height - 1, y)) * width + Math.max(0, Math.min(width - 1, x))];
      for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
          const centre = pel(x, y);
          let bits = 0;
          for (let dy = -CENSUS_RADIUS; dy <= CENSUS_RADIUS; dy++) {
            for (let dx = -CENSUS_RADIUS; dx <= CENSUS_RADIUS; dx++) {
              if (dx !== 0 || dy !== 0) bits = 2 * bits + (pel(x + dx, y + dy) > centre ? 1 : 0);
            }
          }
          const toLeft = (centre + pel(x - 1, y) + 1) >> 1;
          const toRight = (centre + pel(x + 1, y) + 1) >> 1;
          const at = y * width + x;
          u32[census / 4 + at] = bits;
          u8[low + at] = Math.min(centre, toLeft, toRight);
          u8[high + at] = Math.max(centre, toLeft, toRight);
        }
      }
    },
  };
}
