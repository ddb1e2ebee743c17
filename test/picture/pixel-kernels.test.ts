import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Kernels } from '../../src/kernels/kernels.js';
import { kernelPair, seededRandom } from '../kernels/kernel-pair.js';

const STRIDE = 64;
const AREA = STRIDE * 40;
const SEED = 0x5eed;
/** Contents that find different faults: noise, extremes (every lane saturates), ramps (every lane differs). */
const CONTENTS = {
  noise: (random: () => number) => random() & 255,
  extremes: (random: () => number) => (random() & 1 ? 255 : 0),
  ramp: (_: () => number, i: number) => (i * 7 + (i >> 6)) & 255,
};
type Content = keyof typeof CONTENTS;

const pair = await kernelPair(1 << 16);
const a = pair.allocate(AREA);
const b = pair.allocate(AREA);
pair.allocate(64); // answers
const target = pair.allocate(AREA);

const place = fc.record({ x: fc.integer({ min: 0, max: 40 }), y: fc.integer({ min: 0, max: 20 }) });
const job = fc.record({
  seed: fc.integer(),
  content: fc.constantFrom<Content>('noise', 'extremes', 'ramp'),
  a: place,
  b: place,
  target: place,
  size: fc.constantFrom<8 | 16>(8, 16),
  halfX: fc.constantFrom(0, 1),
  halfY: fc.constantFrom(0, 1),
});
type Job = typeof job extends fc.Arbitrary<infer T> ? T : never;

/** Runs one kernel on both sets over the same memory; the answer and the whole memory must be equal. */
function bothAgree(run: (kernels: Kernels, job: Job, at: { a: number; b: number; target: number }) => unknown): void {
  fc.assert(
    fc.property(job, given => {
      const random = seededRandom(given.seed);
      const bytes = Uint8Array.from({ length: 3 * AREA }, (_, i) => CONTENTS[given.content](random, i));
      pair.fill(a, bytes);
      const at = {
        a: a + given.a.y * STRIDE + given.a.x,
        b: b + given.b.y * STRIDE + given.b.x,
        target: target + given.target.y * STRIDE + given.target.x,
      };
      const expected = run(pair.reference.kernels, given, at);
      const actual = run(pair.simd.kernels, given, at);
      expect(actual).toBe(expected);
      // Guard bytes: nothing but the block itself may have changed, and it changed alike.
      expect(pair.firstDifference()).toBe(-1);
    }),
    { seed: SEED, numRuns: 300 },
  );
}

describe('pel kernels: SIMD equals the reference, and writes nothing else', () => {
  it('sad16x16', () => bothAgree((k, _, at) => k.sad16x16(at.a, STRIDE, at.b, STRIDE)));
  it('sad8x8', () => bothAgree((k, _, at) => k.sad8x8(at.a, STRIDE, at.b, STRIDE)));
  it('sse16x16', () => bothAgree((k, _, at) => k.sse16x16(at.a, STRIDE, at.b, STRIDE)));
  it('sse8x8', () => bothAgree((k, _, at) => k.sse8x8(at.a, STRIDE, at.b, STRIDE)));
  it('sadHalfPel16x16', () => bothAgree((k, j, at) => k.sadHalfPel16x16(at.a, STRIDE, at.b, STRIDE, j.halfX, j.halfY)));
  it('sadHalfPelNeighbours16x16', () =>
    bothAgree((k, _, at) => k.sadHalfPelNeighbours16x16(at.a, STRIDE, at.b, STRIDE, target - 64)));
  it('interpolate', () =>
    bothAgree((k, j, at) => k.interpolate(at.target, STRIDE, at.a, STRIDE, j.size, j.halfX, j.halfY)));
  it('average', () => bothAgree((k, j, at) => k.average(at.target, STRIDE, at.a, STRIDE, at.b, STRIDE, j.size)));
  it('copyBlock', () => bothAgree((k, j, at) => k.copyBlock(at.target, STRIDE, at.a, STRIDE, j.size)));
  it('sadAverage16x16', () =>
    bothAgree((k, j, at) => k.sadAverage16x16(at.a, STRIDE, target, at.b, STRIDE, j.halfX, j.halfY)));
  it('deviation16x16', () => bothAgree((k, _, at) => k.deviation16x16(at.a, STRIDE)));
  it('sadOfMean8x8', () => bothAgree((k, _, at) => k.sadOfMean8x8(at.a, at.b, at.target, STRIDE)));
  it('halveByMeans', () =>
    bothAgree((k, { a: { x, y } }, at) =>
      k.halveByMeans(at.target, STRIDE, b, 16 * (1 + (x % 4)), 2 * (1 + (y % 16))),
    ));
  it('halfPelPlanes', () => bothAgree((k, { a: { x, y } }) => k.halfPelPlanes(b, 16 * (1 + (x % 2)), 2 + (y % 8))));
  it('deviations8x8', () =>
    bothAgree((k, { a: { x, y } }) => k.deviations8x8(target, b, 8 * (1 + (x % 8)), 8 * (1 + (y % 4)))));
  it('sumSquaredDifferences', () =>
    bothAgree((k, j, at) => k.sumSquaredDifferences(at.a, at.b, (j.seed >>> 1) % 1200)));
});

describe('pel kernels: known answers', () => {
  it('the largest SAD and SSE', () => {
    pair.fill(a, new Uint8Array(AREA).fill(255));
    pair.fill(b, new Uint8Array(AREA).fill(0));
    expect(pair.simd.kernels.sad16x16(a, STRIDE, b, STRIDE)).toBe(65_280);
    expect(pair.simd.kernels.sse16x16(a, STRIDE, b, STRIDE)).toBe(16_646_400);
  });

  it('the mean of four pels rounds halves up', () => {
    pair.fill(a, [1, 2].concat(new Array(STRIDE - 2).fill(0), [3, 4]));
    pair.simd.kernels.interpolate(target, STRIDE, a, STRIDE, 8, 1, 1);
    expect(pair.simd.memory.u8[target]).toBe(3);
  });
});
