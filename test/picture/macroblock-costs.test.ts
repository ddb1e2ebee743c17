// The kernels of macroblocks' costs and those on differences: SIMD equals the readable ones and writes nothing else.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KernelMemory } from '../../src/kernels/kernel-memory.js';
import type { Kernels } from '../../src/kernels/kernels.js';
import { createKernels } from '../../src/kernels/select-kernels.js';
import { kernelPair, PEL_CONTENT_NAMES, pelsOf, seededRandom } from '../kernels/kernel-pair.js';
import { IS_SOAK } from '../support/soak.js';

const STRIDE = 64;
const AREA = STRIDE * 40;
const SEED = 0x5eed;

const pair = await kernelPair(1 << 16);
const a = pair.allocate(AREA);
const b = pair.allocate(AREA);
pair.allocate(64); // guard
const target = pair.allocate(AREA);
const vectorsAt = pair.allocate(4 * 2 * 8);

const place = fc.record({ x: fc.integer({ min: 0, max: 40 }), y: fc.integer({ min: 0, max: 20 }) });
const job = fc.record({
  seed: fc.integer(),
  content: fc.constantFrom(...PEL_CONTENT_NAMES),
  a: place,
  b: place,
  target: place,
});
type Job = typeof job extends fc.Arbitrary<infer T> ? T : never;

/** Runs one kernel on both sets over the same memory; the answer and the whole memory must be equal. */
function bothAgree(run: (kernels: Kernels, job: Job, at: { a: number; b: number; target: number }) => unknown): void {
  fc.assert(
    fc.property(job, given => {
      pair.fill(a, pelsOf(given.content, seededRandom(given.seed), 3 * AREA));
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
    { seed: SEED, numRuns: IS_SOAK ? 400 : 200 },
  );
}

describe('pel kernels: SIMD equals the reference, and writes nothing else', () => {
  it('deviation16x16', () => bothAgree((k, _, at) => k.deviation16x16(at.a, STRIDE)));
  it('sumSquaredDifferences', () =>
    bothAgree((k, j, at) => k.sumSquaredDifferences(at.a, at.b, (j.seed >>> 1) % 1200)));
  it('macroblockDeviations', () =>
    bothAgree((k, { a: { x, y } }) => k.macroblockDeviations(target, b, 16 * (1 + (x % 4)), 16 * (1 + (y % 2)))));
  it('interpolatedSads', () =>
    bothAgree((k, { seed, a: { x, y } }) => {
      const [columns, rows] = [1 + (x % 4), 1 + (y % 2)];
      const random = seededRandom(seed);
      const within = (place: number, blocks: number) => (random() % (16 * blocks - 15)) - 16 * place;
      const vectors = [0, 1].flatMap(() =>
        [0, 1].map(axis =>
          Array.from({ length: columns * rows }, (_, address) =>
            axis === 0 ? within(address % columns, columns) : within(Math.floor(address / columns), rows),
          ),
        ),
      );
      pair.fill(vectorsAt, new Uint8Array(Int16Array.from(vectors.flat()).buffer));
      k.interpolatedSads(target, vectorsAt, a, b, b, columns, rows);
    }));
  it('sumCodingCosts, which ends early where a product is near the end of its range', () => {
    const random = seededRandom(SEED);
    for (const [macroblocks, perError] of [1, 2, 63, 500, 501].flatMap(n =>
      [1, 40, 1e6].map(e => [n, 1 / e] as const),
    )) {
      // SADs of all sizes, so that powers are below 1 and far above.
      pair.fill(
        a,
        new Uint8Array(Uint16Array.from({ length: AREA / 2 }, (_, i) => random() >>> (16 + (i % 9))).buffer),
      );
      pair.fill(b, pelsOf('noise', random, AREA));
      pair.fill(target, new Uint8Array(Float64Array.of(0.5, 1, perError, 0.27, 2, 0.4, 0.5).buffer));
      const [expected, actual] = [pair.reference, pair.simd].map(({ kernels }) =>
        kernels.sumCodingCosts(target, a, b, 0, macroblocks),
      );
      expect(actual).toBe(expected);
      expect(pair.firstDifference()).toBe(-1);
      if (macroblocks === 501) expect(actual === 501).toBe(perError === 1e-6);
    }
  });
});

describe('sums of costs: SIMD equals the reference, and writes nothing else', () => {
  /** Costs of all sizes at `a` and `b`, so many of each. */
  const costs = fc.record({
    values: fc.array(fc.nat(0xffff), { minLength: 1, maxLength: 70 }),
    others: fc.array(fc.nat(0xffff), { minLength: 70, maxLength: 70 }),
    least: fc.nat(0xffff),
  });
  const bothSum = (run: (kernels: Kernels, count: number, least: number) => unknown) =>
    fc.assert(
      fc.property(costs, ({ values, others, least }) => {
        pair.fill(a, new Uint8Array(Uint16Array.from(values).buffer));
        pair.fill(b, new Uint8Array(Uint16Array.from(others).buffer));
        const expected = run(pair.reference.kernels, values.length, least);
        expect(run(pair.simd.kernels, values.length, least)).toBe(expected);
        expect(pair.firstDifference()).toBe(-1);
      }),
      { seed: SEED },
    );

  it('sumAtLeast', () => bothSum((k, count, least) => k.sumAtLeast(a, least, count)));
  it('sumLesser', () => bothSum((k, count, least) => k.sumLesser(a, b, least, count)));
  it('takeLesser', () => bothSum((k, count) => k.takeLesser(a, b, count)));
  it('the greatest costs of the largest picture', async () => {
    const macroblocks = 256 * 256;
    const memory = new KernelMemory(2 * macroblocks);
    const values = memory.allocate(2 * macroblocks);
    memory.u16.fill(0xffff, values >> 1, (values >> 1) + macroblocks);
    const kernels = await createKernels(memory, 'simd');
    expect(kernels.sumAtLeast(values, 0, macroblocks)).toBe(0xffff * macroblocks);
    expect(kernels.sumLesser(values, values, 0, macroblocks)).toBe(0xffff * macroblocks);
  });
  it('the pels of the largest picture, all white', async () => {
    const [width, height] = [4096, 2800];
    const deviationBytes = (width * height) / 128;
    const memory = new KernelMemory(width * height + deviationBytes);
    const deviations = memory.allocate(deviationBytes);
    const plane = memory.allocate(width * height);
    memory.u8.fill(255, plane, plane + width * height);
    const kernels = await createKernels(memory, 'simd');
    expect(kernels.macroblockDeviations(deviations, plane, width, height)).toBe(255 * width * height);
  });
});

describe('pel kernels: known answers', () => {
  it('sums of costs', () => {
    pair.fill(a, new Uint8Array(Uint16Array.of(5, 700, 65535).buffer));
    pair.fill(b, new Uint8Array(Uint16Array.of(3, 9, 65000).buffer));
    const { kernels, memory } = pair.simd;
    expect(kernels.sumAtLeast(a, 6, 3)).toBe(6 + 700 + 65535);
    expect(kernels.sumLesser(a, b, 4, 3)).toBe(4 + 9 + 65000);
    kernels.takeLesser(a, b, 3);
    expect([...memory.u16.subarray(a >> 1, (a >> 1) + 3)]).toEqual([3, 9, 65000]);
  });

  it('the largest squared error of a plane', () => {
    pair.fill(a, new Uint8Array(AREA).fill(255));
    pair.fill(b, new Uint8Array(AREA));
    expect(pair.simd.kernels.sumSquaredDifferences(a, b, AREA)).toBe(AREA * 255 * 255);
  });

  it('the largest deviation of a block, and none', () => {
    pair.fill(
      a,
      pelsOf('ramp', () => 0, AREA).map((_, i) => (i & 1 ? 255 : 0)),
    );
    expect(pair.simd.kernels.deviation16x16(a, STRIDE)).toBe(128 * 127 + 128 * 128);
    expect(pair.simd.kernels.deviation16x16(b, STRIDE)).toBe(0);
  });
});
