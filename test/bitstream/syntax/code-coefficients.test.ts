// The kernel that codes levels: SIMD equals the readable one, and both the writer of the syntax.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BitSink } from '../../../src/bitstream/syntax/bit-sink.js';
import { writeCoefficients } from '../../../src/bitstream/syntax/block.js';
import { runLevelCodes } from '../../../src/bitstream/tables/block-codes.js';
import { MAX_CODE_WORDS } from '../../../src/kernels/records/code-words.js';
import { kernelPair } from '../../kernels/kernel-pair.js';

const pair = await kernelPair(1 << 17);
const levels = pair.allocate(128);
const words = pair.allocate(4 * MAX_CODE_WORDS);
const codes = pair.allocate(runLevelCodes().byteLength);
pair.fill(codes, new Uint8Array(runLevelCodes().buffer));

const level = fc.oneof(
  { arbitrary: fc.constant(0), weight: 4 },
  { arbitrary: fc.integer({ min: -3, max: 3 }), weight: 3 },
  fc.integer({ min: -255, max: 255 }),
);
const block = fc.array(level, { minLength: 64, maxLength: 64 }).map(values => Int16Array.from(values));

/** Codes a block with both kernel sets; returns the bits. */
function codeWithBoth(values: Int16Array, first: 0 | 1): Uint8Array {
  pair.fill(levels, new Uint8Array(values.buffer));
  const [expected, actual] = [pair.reference.kernels, pair.simd.kernels].map(kernels =>
    kernels.codeCoefficients(words, levels, codes, first),
  );
  expect(actual).toBe(expected);
  expect(pair.firstDifference()).toBe(-1);
  const sink = new BitSink();
  for (const word of pair.simd.memory.u32.subarray(words / 4, words / 4 + actual!)) {
    sink.putBits(word & 0xffffff, word >>> 24);
  }
  sink.alignWithZeros();
  return sink.takeBytes();
}

/** The same by the writer of the syntax. */
function write(values: Int16Array, first: 0 | 1): Uint8Array {
  const sink = new BitSink();
  writeCoefficients(sink, values, 0, first, 64);
  sink.alignWithZeros();
  return sink.takeBytes();
}

describe('codeCoefficients', () => {
  it('SIMD equals the reference, and the bits are those of writeCoefficients', () => {
    fc.assert(
      fc.property(block, fc.constantFrom<0 | 1>(0, 1), (values, first) => {
        expect(codeWithBoth(values, first)).toEqual(write(values, first));
      }),
      { seed: 0x5eed, numRuns: 2000 },
    );
  });

  it('codes a block of 64 long escapes, the longest there is', () => {
    const longest = new Int16Array(64).fill(-255);
    expect(codeWithBoth(longest, 0)).toEqual(write(longest, 0));
    expect(pair.simd.kernels.codeCoefficients(words, levels, codes, 0)).toBe(MAX_CODE_WORDS);
  });
});
