import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BitSink } from '../../src/bitstream/syntax/bit-sink.js';
import { writeCoefficients } from '../../src/bitstream/syntax/block.js';
import { runLevelCodes, runLevelLengths } from '../../src/bitstream/tables/block-codes.js';
import { DEFAULT_INTRA_MATRIX, DEFAULT_NON_INTRA_MATRIX } from '../../src/dct/matrices.js';
import { quantizerRecord } from '../../src/dct/quantizer-record.js';
import { BLOCK_COST_BYTES, MAX_CODE_WORDS, QUANTIZER_BYTES } from '../../src/kernels/transform-kernels.js';
import { kernelPair, seededRandom } from '../kernels/kernel-pair.js';

const STRIDE = 32;
const SEED = 0x5eed;
const pair = await kernelPair(1 << 17);
const pels = pair.allocate(STRIDE * 32);
const flat = pair.allocate(16);
const coefficients = pair.allocate(128);
const levels = pair.allocate(128);
const reconstruction = pair.allocate(128);
const cost = pair.allocate(BLOCK_COST_BYTES);
const target = pair.allocate(STRIDE * 16);
const lengths = pair.allocate(runLevelLengths().length);
const quantizer = pair.allocate(QUANTIZER_BYTES);
pair.fill(lengths, runLevelLengths());
const words = pair.allocate(4 * MAX_CODE_WORDS);
const codes = pair.allocate(runLevelCodes().byteLength);
pair.fill(codes, new Uint8Array(runLevelCodes().buffer));

function expectEqualMemories(): void {
  expect(pair.firstDifference()).toBe(-1);
}

const block = fc.record({
  seed: fc.integer(),
  amplitude: fc.constantFrom(1, 4, 40, 255),
  x: fc.integer({ min: 0, max: 16 }),
  y: fc.integer({ min: 0, max: 16 }),
  scale: fc.integer({ min: 1, max: 31 }),
  intra: fc.constantFrom<0 | 1>(0, 1),
  rounding: fc.constantFrom(-0.3, 0, 0.375, 0.5),
  weights: fc.constantFrom('default', 'flat', 'tiny', 'random'),
});

function weightsFor(kind: string, intra: number, random: () => number): Uint8Array {
  if (kind === 'default') return intra ? DEFAULT_INTRA_MATRIX : DEFAULT_NON_INTRA_MATRIX;
  if (kind === 'flat') return new Uint8Array(64).fill(16);
  if (kind === 'tiny') return new Uint8Array(64).fill(1);
  return Uint8Array.from({ length: 64 }, () => 1 + (random() % 255));
}

describe('transform kernels: SIMD equals the reference, and writes nothing else', () => {
  it('forwardDct, quantizeBlock and reconstructBlock, one after the other', () => {
    fc.assert(
      fc.property(block, given => {
        const random = seededRandom(given.seed);
        const offset = random() % (256 - given.amplitude);
        pair.fill(
          pels,
          Uint8Array.from({ length: STRIDE * 32 }, () => offset + (random() % (given.amplitude + 1))),
        );
        pair.fill(flat, new Uint8Array(16).fill(128));
        const record = quantizerRecord({
          quantizerScale: given.scale,
          weights: weightsFor(given.weights, given.intra, random),
          intra: given.intra === 1,
          rounding: given.rounding,
        });
        pair.fill(quantizer, record);
        const source = pels + given.y * STRIDE + given.x;
        const prediction = given.intra ? flat : pels + 5;
        const results = [pair.reference.kernels, pair.simd.kernels].map(kernels => {
          kernels.forwardDct(coefficients, source, STRIDE, prediction, given.intra ? 0 : STRIDE);
          const end = kernels.quantizeBlock(
            levels,
            reconstruction,
            coefficients,
            quantizer,
            lengths,
            given.intra,
            cost,
          );
          kernels.reconstructBlock(target + given.x, STRIDE, prediction, given.intra ? 0 : STRIDE, reconstruction);
          return end;
        });
        expect(results[1]).toBe(results[0]);
        expectEqualMemories();
      }),
      { seed: SEED, numRuns: 2000 },
    );
  });

  it('quantizeBlockByTrellis', () => {
    fc.assert(
      fc.property(block, fc.constantFrom(0, 50, 900, 52000), (given, lambda) => {
        const random = seededRandom(given.seed);
        const values = Int16Array.from(
          { length: 64 },
          () => (random() % (60 * given.amplitude)) - 30 * given.amplitude,
        );
        pair.fill(coefficients, new Uint8Array(values.buffer));
        const weights = weightsFor(given.weights, given.intra, random);
        const { scale: quantizerScale, rounding } = given;
        pair.fill(quantizer, quantizerRecord({ quantizerScale, weights, intra: given.intra === 1, rounding }));
        const [expected, actual] = [pair.reference.kernels, pair.simd.kernels].map(kernels =>
          kernels.quantizeBlockByTrellis(
            levels,
            reconstruction,
            coefficients,
            quantizer,
            lengths,
            given.intra,
            cost,
            lambda,
          ),
        );
        expect(actual).toBe(expected);
        expectEqualMemories();
      }),
      { seed: SEED, numRuns: 2000 },
    );
  });

  it('quantizeBlock and reconstructBlock on arbitrary coefficients', () => {
    fc.assert(
      fc.property(block, fc.constantFrom(8, 200, 2000, 16383), (given, range) => {
        const random = seededRandom(given.seed);
        const values = Int16Array.from({ length: 64 }, () =>
          random() % 3 === 0 ? (random() % (2 * range + 1)) - range : 0,
        );
        // No block of real differences has more energy than 64 * 255^2 (in pels).
        const energy = values.reduce((sum, value) => sum + value * value, 0);
        const limit = 64 * 64 * 255 * 255;
        const shrink = Math.min(1, Math.sqrt(limit / Math.max(1, energy)));
        for (const [i, value] of values.entries()) values[i] = Math.trunc(value * shrink);
        pair.fill(coefficients, new Uint8Array(values.buffer));
        const weights = weightsFor(given.weights, given.intra, random);
        const { scale: quantizerScale, rounding } = given;
        pair.fill(quantizer, quantizerRecord({ quantizerScale, weights, intra: given.intra === 1, rounding }));
        const results = [pair.reference.kernels, pair.simd.kernels].map(kernels => {
          const end = kernels.quantizeBlock(
            levels,
            reconstruction,
            coefficients,
            quantizer,
            lengths,
            given.intra,
            cost,
          );
          kernels.reconstructBlock(target, STRIDE, pels, STRIDE, reconstruction);
          return end;
        });
        expect(results[1]).toBe(results[0]);
        expectEqualMemories();
      }),
      { seed: SEED, numRuns: 2000 },
    );
  });

  it('codeCoefficients, whose bits are those of writeCoefficients', () => {
    const level = fc.oneof(
      { arbitrary: fc.constant(0), weight: 4 },
      { arbitrary: fc.integer({ min: -3, max: 3 }), weight: 3 },
      fc.integer({ min: -255, max: 255 }),
    );
    const blockOfLevels = fc.array(level, { minLength: 64, maxLength: 64 });
    fc.assert(
      fc.property(blockOfLevels, fc.constantFrom<0 | 1>(0, 1), (values, first) => {
        const block = Int16Array.from(values);
        pair.fill(levels, new Uint8Array(block.buffer));
        const [expected, actual] = [pair.reference.kernels, pair.simd.kernels].map(kernels =>
          kernels.codeCoefficients(words, levels, codes, first),
        );
        expect(actual).toBe(expected);
        expectEqualMemories();
        const coded = new BitSink();
        for (const word of pair.simd.memory.u32.subarray(words / 4, words / 4 + actual!)) {
          coded.putBits(word & 0xffffff, word >>> 24);
        }
        const written = new BitSink();
        writeCoefficients(written, block, 0, first, 64);
        for (const sink of [coded, written]) sink.alignWithZeros();
        expect(coded.takeBytes()).toEqual(written.takeBytes());
      }),
      { seed: SEED, numRuns: 2000 },
    );
  });
});
