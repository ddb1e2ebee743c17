// The kernels between pels and levels: SIMD equals the readable ones and writes nothing else.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BLOCKS_PER_MACROBLOCK, COEFFICIENTS_PER_BLOCK } from '../../src/bitstream/macroblock-layout.js';
import { runLevelLengths } from '../../src/bitstream/tables/block-codes.js';
import { DEFAULT_INTRA_MATRIX, DEFAULT_NON_INTRA_MATRIX } from '../../src/dct/matrices.js';
import type { Kernels } from '../../src/kernels/kernels.js';
import { MACROBLOCK_TRIAL } from '../../src/kernels/records/macroblock-trial.js';
import { QUANTIZER } from '../../src/kernels/records/quantizer.js';
import { allocatePicture, kernelPair, PEL_CONTENT_NAMES, pelsOf, seededRandom } from '../kernels/kernel-pair.js';
import { IS_SOAK } from '../support/soak.js';
import { quantizerBytes } from './quantizer-bytes.js';

const SEED = 0x5eed;
/** Pictures of 3 x 3 macroblocks. */
const WIDTH = 48;
const PELS = 1.5 * WIDTH * WIDTH;

const pair = await kernelPair(1 << 17);
const quantizer = pair.allocate(QUANTIZER.bytes);
const lengths = pair.allocate(runLevelLengths().length);
pair.fill(lengths, runLevelLengths());
const source = allocatePicture(pair, WIDTH, WIDTH);
const target = allocatePicture(pair, WIDTH, WIDTH);
const trial = pair.allocate(MACROBLOCK_TRIAL.bytes);

const job = fc.record({
  seed: fc.integer(),
  source: fc.constantFrom(...PEL_CONTENT_NAMES),
  prediction: fc.constantFrom(...PEL_CONTENT_NAMES),
  mbX: fc.integer({ min: 0, max: 2 }),
  mbY: fc.integer({ min: 0, max: 2 }),
  scale: fc.integer({ min: 1, max: 31 }),
  intra: fc.constantFrom<0 | 1>(0, 1),
  rounding: fc.constantFrom(-0.3, 0, 0.25, 0.375, 0.5),
  weights: fc.constantFrom('default', 'flat', 'tiny', 'random'),
  lambda: fc.constantFrom(0, 50, 54.4, 871.2, 52_000.7),
  pattern: fc.integer({ min: 0, max: 63 }),
});
type Job = typeof job extends fc.Arbitrary<infer T> ? T : never;

function weightsFor({ weights, intra }: Job, random: () => number): Uint8Array {
  if (weights === 'default') return intra ? DEFAULT_INTRA_MATRIX : DEFAULT_NON_INTRA_MATRIX;
  if (weights === 'flat') return new Uint8Array(64).fill(16);
  if (weights === 'tiny') return new Uint8Array(64).fill(1);
  return Uint8Array.from({ length: 64 }, () => 1 + (random() % 255));
}

/**
 * Runs kernels of both sets over the same memory, whose coefficients `coefficientsOf` makes; the whole memory, guards
 * around the record included, must be equal.
 */
function bothAgree(
  run: (kernels: Kernels, job: Job) => void,
  coefficientsOf: (random: () => number) => Int16Array = () =>
    new Int16Array(BLOCKS_PER_MACROBLOCK * COEFFICIENTS_PER_BLOCK),
): void {
  fc.assert(
    fc.property(job, given => {
      const random = seededRandom(given.seed);
      pair.fill(source.pels, pelsOf(given.source, random, PELS));
      pair.fill(target.pels, pelsOf('noise', random, PELS));
      pair.fill(trial, pelsOf('noise', random, MACROBLOCK_TRIAL.bytes));
      pair.fill(trial, pelsOf(given.prediction, random, MACROBLOCK_TRIAL.offsets.coefficients));
      const coefficients = coefficientsOf(random);
      pair.fill(trial + MACROBLOCK_TRIAL.offsets.coefficients, new Uint8Array(coefficients.buffer));
      const { scale: quantizerScale, intra, rounding } = given;
      const weights = weightsFor(given, random);
      pair.fill(quantizer, quantizerBytes({ quantizerScale, weights, intra: intra === 1, rounding }));
      for (const { kernels } of [pair.reference, pair.simd]) run(kernels, given);
      expect(pair.firstDifference()).toBe(-1);
    }),
    { seed: SEED, numRuns: IS_SOAK ? 500 : 200 },
  );
}

/** Coefficients of any size whose blocks hold no more energy than real differences: 64 * 255^2 in pels. */
function sparseCoefficients(random: () => number): Int16Array {
  const coefficients = new Int16Array(BLOCKS_PER_MACROBLOCK * COEFFICIENTS_PER_BLOCK);
  for (let block = 0; block < BLOCKS_PER_MACROBLOCK; block++) {
    const range = [8, 200, 2000, 16383][random() % 4]!;
    const values = coefficients.subarray(block * COEFFICIENTS_PER_BLOCK, (block + 1) * COEFFICIENTS_PER_BLOCK);
    for (const i of values.keys()) values[i] = random() % 3 === 0 ? (random() % (2 * range + 1)) - range : 0;
    const energy = values.reduce((sum, value) => sum + value * value, 0);
    const shrink = Math.min(1, Math.sqrt((64 * 64 * 255 * 255) / Math.max(1, energy)));
    for (const [i, value] of values.entries()) values[i] = Math.trunc(value * shrink);
  }
  return coefficients;
}

/** Blocks whose coefficients are all of one size. */
function denseCoefficients(random: () => number): Int16Array {
  const amplitudes = Array.from({ length: BLOCKS_PER_MACROBLOCK }, () => [1, 4, 40, 255][random() % 4]!);
  return Int16Array.from({ length: BLOCKS_PER_MACROBLOCK * COEFFICIENTS_PER_BLOCK }, (_, i) => {
    const amplitude = amplitudes[Math.floor(i / COEFFICIENTS_PER_BLOCK)]!;
    return (random() % (60 * amplitude)) - 30 * amplitude;
  });
}

const transform = (k: Kernels, { mbX, mbY, intra }: Job) =>
  k.transformMacroblock(trial, source.planes, mbX, mbY, intra);
const quantize = (k: Kernels, { intra, lambda }: Job) => k.quantizeMacroblock(trial, quantizer, lengths, intra, lambda);
const quantizeByTrellis = (k: Kernels, { intra, lambda }: Job) =>
  k.quantizeMacroblockByTrellis(trial, quantizer, lengths, intra, lambda);
const reconstruct = (k: Kernels, { mbX, mbY, pattern, intra }: Job) =>
  k.reconstructMacroblock(target.planes, mbX, mbY, trial, pattern, intra);

describe('macroblock kernels: SIMD equals the reference, and writes nothing else', () => {
  it('transformMacroblock', () => bothAgree(transform));

  it('transform, quantize and reconstruct, one after the other', () =>
    bothAgree((k, given) => {
      transform(k, given);
      quantize(k, given);
      reconstruct(k, given);
    }));

  it('transform, quantize by trellis and reconstruct, one after the other', () =>
    bothAgree((k, given) => {
      transform(k, given);
      quantizeByTrellis(k, given);
      reconstruct(k, given);
    }));

  it.each([
    ['sparse', sparseCoefficients],
    ['dense', denseCoefficients],
  ])('quantizeMacroblockByTrellis on %s coefficients', (_, coefficientsOf) =>
    bothAgree(quantizeByTrellis, coefficientsOf),
  );

  it('quantizeMacroblock and reconstructMacroblock on any coefficients', () =>
    bothAgree((k, given) => {
      quantize(k, given);
      reconstruct(k, given);
    }, sparseCoefficients));
});
