// The kernels on predictions of macroblocks: SIMD equals the readable ones and writes nothing else.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Kernels } from '../../src/kernels/kernels.js';
import { PREDICTION_BYTES, PREDICTION_U } from '../../src/kernels/records/macroblock-trial.js';
import { allocatePicture, kernelPair, PEL_CONTENT_NAMES, pelsOf, seededRandom } from '../kernels/kernel-pair.js';

const SEED = 0x5eed;
/** A picture of 3 x 3 macroblocks, so that the middle one may be predicted from all around. */
const WIDTH = 48;
const PELS = 1.5 * WIDTH * WIDTH;

const pair = await kernelPair(1 << 16);
const picture = allocatePicture(pair, WIDTH, WIDTH);
pair.allocate(64); // guard
const prediction = pair.allocate(PREDICTION_BYTES);
pair.allocate(64); // guard
const other = pair.allocate(PREDICTION_BYTES);

const job = fc.record({
  seed: fc.integer(),
  content: fc.constantFrom(...PEL_CONTENT_NAMES),
  mbX: fc.integer({ min: 0, max: 2 }),
  mbY: fc.integer({ min: 0, max: 2 }),
  dxHalfPels: fc.integer({ min: -32, max: 32 }),
  dyHalfPels: fc.integer({ min: -32, max: 32 }),
});
type Job = typeof job extends fc.Arbitrary<infer T> ? T : never;

/** Runs one kernel on both sets over the same memory; the answer and the whole memory must be equal. */
function bothAgree(run: (kernels: Kernels, job: Job) => unknown): void {
  fc.assert(
    fc.property(job, given => {
      const random = seededRandom(given.seed);
      pair.fill(picture.pels, pelsOf(given.content, random, PELS));
      pair.fill(prediction, pelsOf(given.content, random, PREDICTION_BYTES));
      pair.fill(other, pelsOf(given.content, random, PREDICTION_BYTES));
      const expected = run(pair.reference.kernels, given);
      expect(run(pair.simd.kernels, given)).toBe(expected);
      expect(pair.firstDifference()).toBe(-1);
    }),
    { seed: SEED, numRuns: 600 },
  );
}

/** A vector as near to the given one as keeps the macroblock inside. */
function inside({ mbX, mbY, dxHalfPels, dyHalfPels }: Job): [number, number] {
  const clamp = (at: number, vector: number) => Math.max(-32 * at, Math.min(32 * (2 - at), vector));
  return [clamp(mbX, dxHalfPels), clamp(mbY, dyHalfPels)];
}

describe('prediction kernels: SIMD equals the reference, and writes nothing else', () => {
  it('predictMacroblock', () =>
    bothAgree((k, given) => k.predictMacroblock(prediction, picture.planes, given.mbX, given.mbY, ...inside(given))));
  it('averagePredictions', () => bothAgree(k => k.averagePredictions(prediction, other)));
  it('predictionError', () => bothAgree((k, { mbX, mbY }) => k.predictionError(picture.planes, mbX, mbY, prediction)));
});

describe('prediction kernels: known answers', () => {
  it('the largest error', () => {
    pair.fill(picture.pels, new Uint8Array(PELS).fill(255));
    pair.fill(prediction, new Uint8Array(PREDICTION_BYTES));
    expect(pair.simd.kernels.predictionError(picture.planes, 1, 1, prediction)).toBe(384 * 255 * 255);
  });

  it('the mean of four pels rounds halves up', () => {
    pair.fill(picture.pels, new Uint8Array(PELS));
    pair.fill(picture.pels + 16 * WIDTH + 16, [1, 2]);
    pair.fill(picture.pels + 17 * WIDTH + 16, [3, 4]);
    pair.simd.kernels.predictMacroblock(prediction, picture.planes, 1, 1, 1, 1);
    expect(pair.simd.memory.u8[prediction]).toBe(3);
  });

  it('the mean of two predictions rounds halves up', () => {
    pair.fill(prediction, new Uint8Array(PREDICTION_BYTES).fill(7));
    pair.fill(other, new Uint8Array(PREDICTION_BYTES).fill(8));
    pair.simd.kernels.averagePredictions(prediction, other);
    expect([...pair.simd.memory.u8.subarray(prediction, prediction + PREDICTION_BYTES)]).toEqual(
      new Array(PREDICTION_BYTES).fill(8),
    );
  });

  it('chroma takes half the vector, truncated toward zero', () => {
    pair.fill(picture.pels, new Uint8Array(PELS));
    pair.simd.memory.u8[picture.pels + WIDTH * WIDTH + 8 * (WIDTH / 2) + 8] = 100;
    // -3 half-pels of luma are -1 half-pel of chroma: the mean of the pel to the left and the pel itself.
    pair.simd.kernels.predictMacroblock(prediction, picture.planes, 1, 1, -3, 0);
    const u = prediction + PREDICTION_U;
    expect([...pair.simd.memory.u8.subarray(u, u + 3)]).toEqual([50, 50, 0]);
  });
});
