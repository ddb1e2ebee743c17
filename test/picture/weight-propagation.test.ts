// The kernels of the macroblock tree: SIMD equals the readable ones and writes nothing else; nothing is lost.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kernelPair, seededRandom } from '../kernels/kernel-pair.js';
import { IS_SOAK } from '../support/soak.js';

const MAX_COLUMNS = 7;
const MAX_ROWS = 5;
const MACROBLOCKS = MAX_COLUMNS * MAX_ROWS;
const WEIGHTS = (MAX_COLUMNS + 1) * (MAX_ROWS + 1);

const pair = await kernelPair(1 << 16);
const found = pair.allocate(22 * MACROBLOCKS);
const squaredErrors = pair.allocate(8 * MACROBLOCKS);
const divisors = pair.allocate(8 * MACROBLOCKS);
const dependences = [pair.allocate(10 * MACROBLOCKS), pair.allocate(10 * MACROBLOCKS)] as const;
const own = pair.allocate(8 * WEIGHTS);
const to = pair.allocate(8 * WEIGHTS);
const guard = pair.allocate(64);

const job = fc.record({
  seed: fc.integer(),
  columns: fc.integer({ min: 1, max: MAX_COLUMNS }),
  rows: fc.integer({ min: 1, max: MAX_ROWS }),
  anchors: fc.constantFrom(1, 2),
  scale: fc.double({ min: 0.5, max: 40, noNaN: true }),
});
type Job = typeof job extends fc.Arbitrary<infer T> ? T : never;

const bytesOf = (values: { readonly buffer: ArrayBufferLike }) => new Uint8Array(values.buffer);

/** Fills both memories with what was found of a picture, and with weights. */
function fill({ seed, columns, rows }: Job): void {
  const random = seededRandom(seed);
  const n = columns * rows;
  const numbers = (count: number, below: number) => Array.from({ length: count }, () => random() % below);
  pair.fill(found, new Uint8Array(22 * MACROBLOCKS));
  // Few different SADs: that of one anchor is often that of the other, or of both.
  pair.fill(found, bytesOf(Uint32Array.from(numbers(3 * n, 4), value => 900 * value)));
  const within = (place: number, blocks: number) => (random() % (16 * blocks - 15)) - 16 * place;
  const vectors = [0, 1].flatMap(() => [
    ...Array.from({ length: n }, (_, address) => within(address % columns, columns)),
    ...Array.from({ length: n }, (_, address) => within(Math.floor(address / columns), rows)),
  ]);
  pair.fill(found + 12 * n, bytesOf(Int16Array.from(vectors)));
  // What intra coding costs is often what the best match does.
  pair.fill(
    found + 20 * n,
    bytesOf(Uint16Array.from(numbers(n, 6000), value => (value & 1 ? 900 * (value & 3) : value))),
  );
  pair.fill(own, bytesOf(Float64Array.from(numbers(WEIGHTS, 1000), value => value / 64)));
  pair.fill(to, bytesOf(Float64Array.from(numbers(WEIGHTS, 1000), value => value / 37)));
}

/** Runs all kernels on one of the sets. */
function propagate({ kernels }: typeof pair.simd | typeof pair.reference, { columns, rows, anchors, scale }: Job) {
  kernels.squareErrors(squaredErrors, found, columns * rows);
  kernels.findDivisors(divisors, squaredErrors, columns * rows, 1 / (scale * scale));
  for (let anchor = 0; anchor < anchors; anchor++) {
    kernels.findDependence(dependences[anchor]!, found, columns, rows, anchor, anchors);
    kernels.handOnWeights(to, own, dependences[anchor]!, divisors, columns, rows);
  }
  kernels.addWeights(to, own, (columns + 1) * (rows + 1));
}

describe('the kernels of the macroblock tree', () => {
  it('by SIMD equal the readable ones, and write nothing else', () => {
    pair.fill(guard, new Uint8Array(64).fill(0xa5));
    fc.assert(
      fc.property(job, given => {
        fill(given);
        propagate(pair.reference, given);
        propagate(pair.simd, given);
        expect(pair.firstDifference()).toBe(-1);
        const after = pair.simd.memory.u8.subarray(guard, guard + 64);
        expect(after.every(value => value === 0xa5)).toBe(true);
      }),
      { seed: 0x5eed, numRuns: IS_SOAK ? 1000 : 200 },
    );
  });

  it('hand on the part that the error leaves, shared by the macroblocks that the match covers', () => {
    const given = { seed: 3, columns: 4, rows: 3, anchors: 1, scale: 6 } as const;
    fill(given);
    const { memory, kernels } = pair.simd;
    memory.f64.fill(0, own / 8, own / 8 + WEIGHTS);
    memory.f64.fill(0, to / 8, to / 8 + WEIGHTS);
    propagate(pair.simd, given);
    const handed = memory.f64.subarray(to / 8, to / 8 + 20);
    const errors = memory.f64.subarray(squaredErrors / 8, squaredErrors / 8 + 12);
    const expected = errors.reduce((sum, error) => sum + 1 / (1 + error / 36), 0);
    expect(expected).toBeGreaterThan(1);
    expect(handed.reduce((sum, weight) => sum + weight)).toBeCloseTo(expected, 9);

    // The second macroblock of the second row matches 5 pels farther right and 4 farther up: it covers four.
    memory.f64.fill(0, to / 8, to / 8 + WEIGHTS);
    memory.f64.fill(Number.POSITIVE_INFINITY, divisors / 8, divisors / 8 + 12);
    memory.f64[divisors / 8 + 5] = 2;
    memory.i16[found / 2 + 6 * 12 + 5] = 5;
    memory.i16[found / 2 + 7 * 12 + 5] = -4;
    kernels.findDependence(dependences[0], found, 4, 3, 0, 1);
    kernels.handOnWeights(to, own, dependences[0], divisors, 4, 3);
    const weights = new Float64Array(20);
    weights[1] = 0.5 * (11 / 16) * (4 / 16);
    weights[2] = 0.5 * (5 / 16) * (4 / 16);
    weights[6] = 0.5 * (11 / 16) * (12 / 16);
    weights[7] = 0.5 * (5 / 16) * (12 / 16);
    expect(handed).toEqual(weights);
  });

  it('give both anchors a share where that is better than one, else all to the better, else to the past one', () => {
    const shares = [
      { sad: 90, past: 100, future: 120, share: [0.5, 0.5] },
      { sad: 100, past: 100, future: 120, share: [1, 0] },
      { sad: 100, past: 130, future: 100, share: [0, 1] },
      { sad: 100, past: 100, future: 100, share: [1, 0] },
    ];
    const sads = [shares.map(({ sad }) => sad), shares.map(({ past }) => past), shares.map(({ future }) => future)];
    pair.fill(found, new Uint8Array(22 * MACROBLOCKS));
    pair.fill(found, bytesOf(Uint32Array.from(sads.flat())));
    for (const { kernels, memory } of [pair.reference, pair.simd]) {
      for (const anchor of [0, 1]) {
        kernels.findDependence(dependences[anchor]!, found, 4, 1, anchor, 2);
        const first = dependences[anchor]! / 4 + 4;
        expect([...memory.f32.subarray(first, first + 4)]).toEqual(shares.map(({ share }) => share[anchor]));
      }
    }
  });
});
