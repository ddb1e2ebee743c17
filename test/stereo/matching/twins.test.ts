// The stages of semi-global matching: the SIMD kernels equal the readable ones, and touch nothing else.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StereoKernels } from '../../../src/kernels/contracts/stereo-kernels.js';
import { createVisionKernels } from '../../../src/kernels/select-vision-kernels.js';
import type { VisionKernels } from '../../../src/kernels/vision-kernels.js';
import { type KernelPair, kernelPairOf, PEL_CONTENT_NAMES, pelsOf, seededRandom } from '../../kernels/kernel-pair.js';
import { IS_SOAK } from '../../support/soak.js';
import { type JobShape, jobBytes, type PairJob, pairJob } from './stereo-jobs.js';

const shapes = fc
  .record({
    width: fc.integer({ min: 16, max: 70 }),
    height: fc.integer({ min: 1, max: 9 }),
    vectors: fc.integer({ min: 1, max: 3 }),
    costs: fc.constantFrom(1, 2, 3),
    p1: fc.integer({ min: 0, max: 200 }),
    more: fc.integer({ min: 0, max: 200 }),
  })
  .map(({ width, vectors, p1, more, ...rest }): JobShape => {
    const range = 16 * Math.min(vectors, Math.floor(width / 16));
    return { ...rest, width, range, p1, p2: Math.min(200, p1 + more) };
  });

/** Runs a stage in both memories and compares them whole; what the SIMD kernel keeps in its work area aside. */
function expectEqual(
  pair: KernelPair<VisionKernels>,
  job: PairJob,
  name: string,
  stage: (kernels: StereoKernels) => void,
): void {
  for (const { kernels } of [pair.reference, pair.simd]) stage(kernels);
  const { work } = job.reference;
  const end = work + job.bytes.get('work')!;
  pair.reference.memory.u8.set(pair.simd.memory.u8.subarray(work, end), work);
  expect(pair.firstDifference(), name).toBe(-1);
}

describe('SIMD stages of semi-global matching', () => {
  it('equal the readable ones on pictures of any kind', async () => {
    await fc.assert(
      fc.asyncProperty(shapes, fc.constantFrom(...PEL_CONTENT_NAMES), fc.nat(), async (shape, content, seed) => {
        const pair = await kernelPairOf(jobBytes(shape), createVisionKernels);
        const job = pairJob(pair, shape);
        const { width, height } = shape;
        const { left, right } = job.reference;
        const noise = pelsOf(content, seededRandom(seed), width * height + 3);
        pair.fill(left, noise.subarray(0, width * height));
        pair.fill(right, seed % 2 === 0 ? noise.subarray(3) : pelsOf(content, seededRandom(seed + 1), width * height));
        const compare = (name: string, stage: (kernels: StereoKernels) => void) => expectEqual(pair, job, name, stage);
        const rows = Array.from({ length: height }, (_, row) => row);
        for (const side of [0, 1] as const) compare('describePels', kernels => kernels.describePels(job.pointer, side));
        for (const row of rows) compare('matchingCosts', kernels => kernels.matchingCosts(job.pointer, row));
        for (const backward of [0, 1] as const)
          compare('aggregatePaths', kernels => kernels.aggregatePaths(job.pointer, backward));
        for (const row of rows) compare('selectDisparities', kernels => kernels.selectDisparities(job.pointer, row));
        for (const side of [0, 1] as const)
          compare('filterDisparities', kernels => kernels.filterDisparities(job.pointer, side));
        for (const row of rows) compare('checkDisparities', kernels => kernels.checkDisparities(job.pointer, row));
        for (const row of rows) compare('fillDisparities', kernels => kernels.fillDisparities(job.pointer, row));
      }),
      { numRuns: IS_SOAK ? 500 : 20, seed: 31 },
    );
  });

  it('equal them where costs and penalties are as large as can be', async () => {
    const shape: JobShape = { width: 40, height: 5, range: 32, costs: 3, p1: 200, p2: 200 };
    const pair = await kernelPairOf(jobBytes(shape), createVisionKernels);
    const job = pairJob(pair, shape);
    const costs = seededRandom(5);
    const bytes = job.bytes.get('matchingCosts')!;
    pair.fill(
      job.reference.matchingCosts,
      Uint8Array.from({ length: bytes }, () => (costs() & 3 ? 54 : 0)),
    );
    for (const backward of [0, 1] as const)
      expectEqual(pair, job, 'aggregatePaths', kernels => kernels.aggregatePaths(job.pointer, backward));
  });
});
