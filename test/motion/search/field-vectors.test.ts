// The kernels on motion fields: SIMD equals the readable ones and writes nothing else; known answers.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Kernels } from '../../../src/kernels/kernels.js';
import { kernelPair } from '../../kernels/kernel-pair.js';

const SEED = 0x5eed;
const MAX_MACROBLOCKS = 40;
const MAX_CANDIDATES = 4;
/** Components that lie in the table of penalties. */
const REACH = 300;

const pair = await kernelPair(1 << 16);
const dx = pair.allocate(2 * MAX_MACROBLOCKS * MAX_CANDIDATES);
const dy = pair.allocate(2 * MAX_MACROBLOCKS * MAX_CANDIDATES);
const costs = pair.allocate(4 * MAX_MACROBLOCKS * MAX_CANDIDATES);
const flags = pair.allocate(MAX_MACROBLOCKS);
const penalties = pair.allocate(4 * (REACH + 1));
pair.allocate(64); // guard
const target = pair.allocate(6 * MAX_MACROBLOCKS + 64);

const bytesOf = ({ buffer }: Int16Array | Uint32Array) => new Uint8Array(buffer);
pair.fill(penalties, bytesOf(Uint32Array.from({ length: REACH + 1 }, (_, i) => 3 * i)));

const many = <T>(of: fc.Arbitrary<T>) =>
  fc.array(of, { minLength: MAX_MACROBLOCKS * MAX_CANDIDATES, maxLength: MAX_MACROBLOCKS * MAX_CANDIDATES });
/** Vectors of a picture: short ones, those at the edges of a length, and the longest. */
function jobs(reach: number) {
  const edges = [0, 7, 8, 15, 16, 127, 128].flatMap(edge => [edge, -edge, edge - 1, -edge - 1]);
  const component = fc.oneof(
    fc.integer({ min: -20, max: 20 }),
    fc.integer({ min: -reach, max: reach }),
    fc.constantFrom(...edges),
  );
  return fc.record({
    dx: many(component),
    dy: many(component),
    costs: many(fc.nat(70_000)),
    flags: many(fc.constantFrom(0, 2, 4, 6, 8, 10, 16)),
    candidates: fc.integer({ min: 1, max: MAX_CANDIDATES }),
    macroblocks: fc.integer({ min: 1, max: MAX_MACROBLOCKS }),
  });
}
type Job = ReturnType<typeof jobs> extends fc.Arbitrary<infer T> ? T : never;

function bothAgree(run: (kernels: Kernels, job: Job) => unknown, reach: number): void {
  fc.assert(
    fc.property(jobs(reach), job => {
      pair.fill(dx, bytesOf(Int16Array.from(job.dx)));
      pair.fill(dy, bytesOf(Int16Array.from(job.dy)));
      pair.fill(costs, bytesOf(Uint32Array.from(job.costs)));
      pair.fill(flags, job.flags.slice(0, MAX_MACROBLOCKS));
      const expected = run(pair.reference.kernels, job);
      expect(run(pair.simd.kernels, job)).toBe(expected);
      expect(pair.firstDifference()).toBe(-1);
    }),
    { seed: SEED },
  );
}

describe('kernels on fields: SIMD equals the reference, and writes nothing else', () => {
  it('bestOfField', () =>
    bothAgree((k, job) => k.bestOfField(target, dx, dy, costs, job.candidates, penalties, job.macroblocks), REACH));
  it('countExtents', () =>
    bothAgree((k, job) => k.countExtents(target, dx, dy, job.candidates, job.macroblocks), 4000));
  it('vectorExtent', () =>
    bothAgree((k, job) => k.vectorExtent(flags, 2 + (job.candidates & 2), dx, dy, job.macroblocks), 4000));
});

describe('kernels on fields: known answers', () => {
  const { kernels, memory } = pair.simd;
  const i16At = (pointer: number, count: number) => [...memory.i16.subarray(pointer >> 1, (pointer >> 1) + count)];

  it('the best vectors of two macroblocks, and their costs without those of vectors', () => {
    pair.fill(dx, bytesOf(Int16Array.of(1, 50, -2, 60)));
    pair.fill(dy, bytesOf(Int16Array.of(0, 50, 100, 60)));
    pair.fill(costs, bytesOf(Uint32Array.of(65_283, 70_000, 305, 70_000)));
    kernels.bestOfField(target, dx, dy, costs, 2, penalties, 2);
    expect(i16At(target, 4)).toEqual([1, -2, 0, 100]);
    expect([...memory.u16.subarray((target >> 1) + 4, (target >> 1) + 6)]).toEqual([65_280, 0]);
  });

  it('how many bits vectors and their neighbours at half-pels need', () => {
    pair.fill(dx, bytesOf(Int16Array.of(0, 7, 0, -8, 32767)));
    pair.fill(dy, bytesOf(Int16Array.of(0, 0, 8, 0, -32768)));
    pair.fill(target, new Uint8Array(4 * 18));
    kernels.countExtents(target, dx, dy, 1, 5);
    const counts = memory.u32.subarray(target >> 2, (target >> 2) + 18);
    expect([...counts.entries()].filter(([, count]) => count > 0)).toEqual([
      [1, 1],
      [4, 1],
      [5, 2],
      [17, 1],
    ]);
  });

  it('the extent of the vectors that are used', () => {
    pair.fill(dx, bytesOf(Int16Array.of(15, -16, 999)));
    pair.fill(dy, bytesOf(Int16Array.of(0, 3, 0)));
    pair.fill(flags, [2, 6, 4]);
    expect(kernels.vectorExtent(flags, 2, dx, dy, 3)).toBe(15);
    expect(kernels.vectorExtent(flags, 4, dx, dy, 3)).toBe(999);
    expect(kernels.vectorExtent(flags, 16, dx, dy, 3)).toBe(0);
  });
});
