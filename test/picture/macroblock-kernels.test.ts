import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runLevelLengths } from '../../src/bitstream/tables/block-codes.js';
import { DEFAULT_INTRA_MATRIX, DEFAULT_NON_INTRA_MATRIX } from '../../src/dct/matrices.js';
import { quantizerRecord } from '../../src/dct/quantizer-record.js';
import type { Kernels } from '../../src/kernels/kernels.js';
import { PLANES_RECORD_BYTES, TRIAL_RECORD_BYTES } from '../../src/kernels/macroblock-kernels.js';
import { QUANTIZER_BYTES } from '../../src/kernels/transform-kernels.js';
import { kernelPair, seededRandom } from '../kernels/kernel-pair.js';

const SEED = 0x5eed;
/** Pictures of 3 x 3 macroblocks, so that the middle one may be predicted from all around. */
const WIDTH = 48;
const PELS = WIDTH * WIDTH;
const pair = await kernelPair(1 << 17);
const quantizer = pair.allocate(QUANTIZER_BYTES);
const lengths = pair.allocate(runLevelLengths().length);
pair.fill(lengths, runLevelLengths());

function allocatePicture(): { record: number; pels: number } {
  const record = pair.allocate(PLANES_RECORD_BYTES);
  const pels = pair.allocate(1.5 * PELS);
  const words = new Int32Array([pels, pels + PELS, pels + 1.25 * PELS, WIDTH, WIDTH / 2]);
  pair.fill(record, new Uint8Array(words.buffer));
  return { record, pels };
}

const source = allocatePicture();
const anchor = allocatePicture();
const target = allocatePicture();
const trial = pair.allocate(TRIAL_RECORD_BYTES);
const other = pair.allocate(384);

const given = fc.record({
  seed: fc.integer(),
  amplitude: fc.constantFrom(1, 6, 40, 255),
  mbX: fc.integer({ min: 0, max: 2 }),
  mbY: fc.integer({ min: 0, max: 2 }),
  x: fc.integer({ min: -32, max: 32 }),
  y: fc.integer({ min: -32, max: 32 }),
  scale: fc.integer({ min: 1, max: 31 }),
  intra: fc.constantFrom<0 | 1>(0, 1),
  lambda: fc.constantFrom(0, 54.4, 871.2, 52_000.7),
  pattern: fc.integer({ min: 0, max: 63 }),
});
type Given = typeof given extends fc.Arbitrary<infer T> ? T : never;

/** Runs kernels of both sets over the same memory; answers and the whole memory, guards around the records included, must be equal. */
function bothAgree(run: (kernels: Kernels, given: Given) => unknown): void {
  fc.assert(
    fc.property(given, job => {
      const random = seededRandom(job.seed);
      const noise = (length: number) => Uint8Array.from({ length }, () => 100 + (random() % (job.amplitude + 1)));
      for (const { pels } of [source, anchor, target]) pair.fill(pels, noise(1.5 * PELS));
      pair.fill(trial, noise(TRIAL_RECORD_BYTES));
      pair.fill(other, noise(384));
      const weights = job.intra === 1 ? DEFAULT_INTRA_MATRIX : DEFAULT_NON_INTRA_MATRIX;
      const record = quantizerRecord({ quantizerScale: job.scale, weights, intra: job.intra === 1, rounding: 0 });
      pair.fill(quantizer, record);
      const expected = run(pair.reference.kernels, job);
      expect(run(pair.simd.kernels, job)).toBe(expected);
      expect(pair.firstDifference()).toBe(-1);
    }),
    { seed: SEED, numRuns: 500 },
  );
}

/** A vector as near to (x, y) as keeps the macroblock inside. */
function inside({ mbX, mbY, x, y }: Given): [number, number] {
  const fit = (at: number, vector: number) => Math.max(-32 * at, Math.min(32 * (2 - at), vector));
  return [fit(mbX, x), fit(mbY, y)];
}

const coded = (k: Kernels, job: Given) => {
  k.predictMacroblock(trial, anchor.record, job.mbX, job.mbY, ...inside(job));
  k.transformMacroblock(trial, source.record, job.mbX, job.mbY, job.intra);
};

describe('macroblock kernels: SIMD equals the reference, and writes nothing else', () => {
  it('predictMacroblock', () =>
    bothAgree((k, job) => k.predictMacroblock(trial, anchor.record, job.mbX, job.mbY, ...inside(job))));
  it('averagePredictions', () => bothAgree(k => k.averagePredictions(trial, other)));
  it('predictionError', () => bothAgree((k, { mbX, mbY }) => k.predictionError(source.record, mbX, mbY, other)));
  it('transformMacroblock', () => bothAgree(coded));
  it('quantizeMacroblock', () =>
    bothAgree((k, job) => {
      coded(k, job);
      k.quantizeMacroblock(trial, quantizer, lengths, job.intra, job.lambda);
    }));
  it('quantizeMacroblockByTrellis', () =>
    bothAgree((k, job) => {
      coded(k, job);
      k.quantizeMacroblockByTrellis(trial, quantizer, lengths, job.intra, job.lambda);
    }));
  it('reconstructMacroblock', () =>
    bothAgree((k, job) => {
      coded(k, job);
      k.quantizeMacroblock(trial, quantizer, lengths, job.intra, job.lambda);
      k.reconstructMacroblock(target.record, job.mbX, job.mbY, trial, job.pattern, job.intra);
    }));
});

describe('macroblock kernels: known answers', () => {
  it('chroma takes half the vector, truncated toward zero', () => {
    pair.fill(anchor.pels, new Uint8Array(1.5 * PELS));
    pair.simd.memory.u8[anchor.pels + PELS + 8 * 24 + 8] = 100;
    // -3 half-pels of luma are -1 half-pel of chroma: the mean of the pel to the left and the pel itself.
    pair.simd.kernels.predictMacroblock(trial, anchor.record, 1, 1, -3, 0);
    expect([...pair.simd.memory.u8.subarray(trial + 256, trial + 259)]).toEqual([50, 50, 0]);
  });
});
