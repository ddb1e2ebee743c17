// How badly a pel of the left picture matches one of the right picture.
import type { StereoKernels } from '../../kernels/contracts/stereo-kernels.js';
import type { KernelMemory } from '../../kernels/kernel-memory.js';
import {
  CENSUS_COST,
  INTERVAL_COST,
  MAX_INTERVAL_COST,
  OUTSIDE_COST,
  STEREO_JOB,
  type StereoJob,
} from '../../kernels/records/stereo-job.js';

/** The definition of the kernel of matching costs. */
export function referenceMatchingCosts(memory: KernelMemory): Pick<StereoKernels, 'matchingCosts'> {
  const { u8, u32 } = memory;

  /** Bits of two censuses that differ. */
  const censusCost = (job: StereoJob, left: number, right: number): number =>
    bitsOf(u32[job.leftCensus / 4 + left] ^ u32[job.rightCensus / 4 + right]);

  /** How far the pels are apart, after Birchfield and Tomasi. */
  const intervalCost = (job: StereoJob, left: number, right: number): number => {
    const leftPel = u8[job.left + left];
    const rightPel = u8[job.right + right];
    const leftOutside = Math.max(0, leftPel - u8[job.rightHigh + right], u8[job.rightLow + right] - leftPel);
    const rightOutside = Math.max(0, rightPel - u8[job.leftHigh + left], u8[job.leftLow + left] - rightPel);
    return Math.min(leftOutside, rightOutside, MAX_INTERVAL_COST);
  };

  return {
    matchingCosts(pointer, row) {
      const job = STEREO_JOB.at(memory, pointer);
      const { width, range, costs, matchingCosts } = job;
      for (let x = 0; x < width; x++) {
        const left = row * width + x;
        for (let d = 0; d < range; d++) {
          let cost = d > x ? OUTSIDE_COST : 0;
          if (d <= x && costs & CENSUS_COST) cost += censusCost(job, left, left - d);
          if (d <= x && costs & INTERVAL_COST) cost += intervalCost(job, left, left - d);
          u8[matchingCosts + left * range + d] = cost;
        }
      }
    },
  };
}

/** Number of bits that are set. */
function bitsOf(word: number): number {
  let count = 0;
  for (let rest = word >>> 0; rest !== 0; rest >>>= 1) count += rest & 1;
  return count;
}
