// The readable stages of semi-global matching against figures worked out by hand.
import { describe, expect, it } from 'vitest';
import { KernelMemory } from '../../../src/kernels/kernel-memory.js';
import { STEREO_JOB, type StereoJob, stereoWorkBytes } from '../../../src/kernels/records/stereo-job.js';
import { createReferenceVisionKernels } from '../../../src/kernels/reference-vision-kernels.js';

const RANGE = 16;

/** A job of `width` x `height` pels with all of its arrays, and the kernels. */
function openJob(width: number, height: number) {
  const pels = width * height;
  const memory = new KernelMemory(pels * (3 * RANGE + 24) + 7 * width * RANGE + stereoWorkBytes(width) + 4096);
  const values = { width, height, range: RANGE, costs: 3, p1: 5 };
  const job: StereoJob = STEREO_JOB.allocate(memory, values);
  for (const name of ['left', 'right', 'leftLow', 'leftHigh', 'rightLow', 'rightHigh'] as const)
    job[name] = memory.allocate(pels);
  for (const name of ['leftCensus', 'rightCensus'] as const) job[name] = memory.allocate(4 * pels);
  for (const name of ['leftDisparities', 'rightDisparities'] as const) job[name] = memory.allocate(2 * pels);
  job.p2 = memory.allocate(256);
  job.matchingCosts = memory.allocate(pels * RANGE);
  job.pathSums = memory.allocate(2 * pels * RANGE);
  job.pathRows = memory.allocate(6 * width * RANGE);
  job.pathLeasts = memory.allocate(6 * width);
  job.rowPath = memory.allocate(2 * RANGE);
  job.work = memory.allocate(stereoWorkBytes(width));
  const kernels = createReferenceVisionKernels(memory);
  return { memory, job, kernels };
}

describe('describePels', () => {
  it('sets a bit for each brighter neighbour, the first one highest', () => {
    const { memory, job, kernels } = openJob(16, 5);
    memory.u8[job.left + 0 * 16 + 4] = 9; // left of and above the pel at (6, 2), in the corner
    memory.u8[job.left + 4 * 16 + 8] = 9; // in the opposite corner
    memory.u8[job.left + 2 * 16 + 7] = 9; // right beside it: the centre has no bit, so this is the 13th
    kernels.describePels(job.pointer, 0);
    expect(memory.u32[job.leftCensus / 4 + 2 * 16 + 6]!.toString(2)).toBe('100000000000100000000001');
  });

  it('gives the interval between the means with the neighbours', () => {
    const { memory, job, kernels } = openJob(16, 1);
    memory.u8.set([10, 20, 5], job.left);
    kernels.describePels(job.pointer, 0);
    expect([...memory.u8.subarray(job.leftLow, job.leftLow + 3)]).toEqual([10, 13, 3]);
    expect([...memory.u8.subarray(job.leftHigh, job.leftHigh + 3)]).toEqual([15, 20, 13]);
  });
});

describe('matchingCosts', () => {
  it('adds the bits that differ to the distance from the interval', () => {
    const { memory, job, kernels } = openJob(16, 1);
    const at = 10;
    memory.u32.set([0b1011, 0b0110], job.leftCensus / 4 + at);
    memory.u32[job.rightCensus / 4 + at - 2] = 0b0001; // two bits differ
    memory.u8[job.left + at] = 50;
    memory.u8.set([40], job.leftLow + at);
    memory.u8.set([60], job.leftHigh + at);
    memory.u8[job.right + at - 2] = 70; // 10 above the left interval
    memory.u8[job.rightLow + at - 2] = 57; // the left pel is 7 below the right interval
    memory.u8[job.rightHigh + at - 2] = 75;
    kernels.matchingCosts(job.pointer, 0);
    const costs = memory.u8.subarray(job.matchingCosts + at * RANGE, job.matchingCosts + (at + 1) * RANGE);
    expect(costs[2]).toBe(2 + 7);
    expect([...costs.subarray(at + 1)]).toEqual(new Array(RANGE - at - 1).fill(15)); // outside the right picture
  });
});

describe('aggregatePaths', () => {
  it('pays P1 for a step of one and P2 for a larger one', () => {
    const { memory, job, kernels } = openJob(16, 1);
    memory.u8.fill(20, job.p2, job.p2 + 256);
    const costs = memory.u8.subarray(job.matchingCosts, job.matchingCosts + 16 * RANGE).fill(30);
    costs[0 * RANGE + 3] = 0;
    kernels.aggregatePaths(job.pointer, 0);
    // At pel 0 all four paths begin, and their sum is four times the cost. At pel 1 the path along the row goes on.
    const sums = memory.u16.subarray(job.pathSums / 2, job.pathSums / 2 + 2 * RANGE);
    expect([sums[2], sums[3], sums[4]]).toEqual([120, 0, 120]);
    const begins = 3 * 30;
    const one = Array.from(sums.subarray(RANGE + 1, RANGE + 6), sum => sum - begins);
    expect(one).toEqual([30 + 20, 30 + 5, 30, 30 + 5, 30 + 20]);
  });
});

describe('selectDisparities', () => {
  it('finds the lowest point of the parabola in sixteenths, and the first of equals', () => {
    const { memory, job, kernels } = openJob(32, 1);
    const sums = memory.u16.subarray(job.pathSums / 2, job.pathSums / 2 + 32 * RANGE).fill(900);
    sums.set([100, 60, 120], 20 * RANGE + 4); // (40 - 60) / (2 * 100) of a pel is -1.6 sixteenths
    sums.set([70, 70], 25 * RANGE + 8);
    kernels.selectDisparities(job.pointer, 0);
    const left = memory.i16.subarray(job.leftDisparities / 2, job.leftDisparities / 2 + 32);
    expect(left[20]).toBe(16 * 5 - 2);
    expect(left[25]).toBe(16 * 8 + 8);
    expect(left[31]).toBe(0);
    const right = memory.i16.subarray(job.rightDisparities / 2, job.rightDisparities / 2 + 32);
    expect(right[15]).toBe(16 * 5);
    expect(right[17]).toBe(16 * 8);
  });
});

describe('filterDisparities', () => {
  it('removes an outlier and repeats the edge', () => {
    const { memory, job, kernels } = openJob(16, 3);
    const map = memory.i16.subarray(job.rightDisparities / 2, job.rightDisparities / 2 + 48).fill(32);
    map[16 + 5] = 400;
    map.set([7, 7], 0);
    map.set([7, 7], 16);
    kernels.filterDisparities(job.pointer, 1);
    expect(map[16 + 5]).toBe(32);
    expect([map[0], map[2]]).toEqual([7, 32]);
  });
});

describe('checkDisparities and fillDisparities', () => {
  it('leave what both pictures show, and fill the rest with what is farther', () => {
    const { memory, job, kernels } = openJob(16, 1);
    const left = memory.i16.subarray(job.leftDisparities / 2, job.leftDisparities / 2 + 16);
    const right = memory.i16.subarray(job.rightDisparities / 2, job.rightDisparities / 2 + 16);
    // A thing at disparity 4 covers what lies at 1: the right picture shows pel x of it at x - 4.
    left.set([16, 16, 16, 16, 16, 16, 40, 40, 64, 64, 64, 64, 16, 16, 16, 16]);
    right.set([16, 16, 16, 16, 64, 64, 64, 64, 16, 16, 16, 16, 16, 16, 16, 16]);
    kernels.checkDisparities(job.pointer, 0);
    // Pel 0 leads out of the picture. Pels 5 to 7 lead to the thing, which lies elsewhere.
    expect([...left]).toEqual([-1, 16, 16, 16, 16, -1, -1, -1, 64, 64, 64, 64, 16, 16, 16, 16]);
    kernels.fillDisparities(job.pointer, 0);
    expect([...left]).toEqual([16, 16, 16, 16, 16, 16, 16, 16, 64, 64, 64, 64, 16, 16, 16, 16]);
  });

  it('fill a row that knows nothing with 0', () => {
    const { memory, job, kernels } = openJob(16, 1);
    const left = memory.i16.subarray(job.leftDisparities / 2, job.leftDisparities / 2 + 16).fill(-1);
    kernels.fillDisparities(job.pointer, 0);
    expect([...left]).toEqual(new Array(16).fill(0));
  });
});
