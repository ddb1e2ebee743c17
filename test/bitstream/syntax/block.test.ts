// Blocks survive writing and reading by a reader made from the tables alone.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BitSink } from '../../../src/bitstream/syntax/bit-sink.js';
import { dcBits, writeCoefficients, writeDcDifferential } from '../../../src/bitstream/syntax/block.js';
import {
  COEFFICIENT_ESCAPE,
  DC_SIZE_CHROMINANCE_CODES,
  DC_SIZE_LUMINANCE_CODES,
  END_OF_BLOCK,
  RUN_LEVEL_CODES,
} from '../../../src/bitstream/tables/block-codes.js';

/** A plain reader of bit strings, written from the tables alone. */
class BitReader {
  #at = 0;
  constructor(readonly bits: string) {}
  get rest(): number {
    return this.bits.length - this.#at;
  }
  take(length: number): number {
    const value = Number.parseInt(this.bits.slice(this.#at, this.#at + length) || '0', 2);
    this.#at += length;
    return value;
  }
  startsWith(code: string): boolean {
    return this.bits.startsWith(code, this.#at);
  }
  skip(code: string): boolean {
    if (!this.startsWith(code)) return false;
    this.#at += code.length;
    return true;
  }
}

function bitsOf(write: (sink: BitSink) => void): string {
  const sink = new BitSink(16);
  write(sink);
  const length = sink.bitLength;
  sink.alignWithZeros();
  return Array.from(sink.takeBytes(), byte => byte.toString(2).padStart(8, '0'))
    .join('')
    .slice(0, length);
}

/** Decodes run/level pairs to end_of_block; ISO/IEC 11172-2 §2.4.2.8, §2.4.3.7. */
function readCoefficients(reader: BitReader, first: number): number[] {
  const levels = new Array(64).fill(0);
  let position = first - 1;
  let isFirst = first === 0;
  for (;;) {
    let run = -1;
    let level = 0;
    if (isFirst && reader.skip('1')) {
      run = 0;
      level = reader.take(1) ? -1 : 1;
    } else if (reader.skip(END_OF_BLOCK)) return levels;
    else if (reader.skip(COEFFICIENT_ESCAPE)) {
      run = reader.take(6);
      const short = reader.take(8);
      if (short === 0) level = reader.take(8);
      else if (short === 128) level = reader.take(8) - 256;
      else level = short > 128 ? short - 256 : short;
    } else {
      RUN_LEVEL_CODES.forEach((codes, r) => {
        codes.forEach((code, magnitude) => {
          if (run < 0 && magnitude > 0 && reader.skip(code)) {
            run = r;
            level = reader.take(1) ? -magnitude : magnitude;
          }
        });
      });
    }
    if (run < 0) throw new Error('no code matches');
    isFirst = false;
    position += run + 1;
    levels[position] = level;
  }
}

const level = fc.oneof(
  { weight: 6, arbitrary: fc.constant(0) },
  { weight: 3, arbitrary: fc.integer({ min: -3, max: 3 }) },
  { weight: 1, arbitrary: fc.integer({ min: -255, max: 255 }) },
);

describe('blocks', () => {
  it.each([0, 1])('coefficients from position %i survive writing and reading', first => {
    fc.assert(
      fc.property(fc.array(level, { minLength: 64, maxLength: 64 }), levels => {
        if (first === 1) levels[0] = 0;
        const end = levels.findLastIndex(value => value !== 0) + 1;
        if (first === 0 && end === 0) return; // an empty block is not written
        const bits = bitsOf(sink => writeCoefficients(sink, Int16Array.from(levels), 0, first, end));
        const reader = new BitReader(bits);
        expect(readCoefficients(reader, first)).toEqual(levels);
        expect(reader.rest).toBe(0);
      }),
      { seed: 7, numRuns: 2000 },
    );
  });

  it('escapes: the last short level, the first long one, both signs, the ends', () => {
    const pair = (value: number) => bitsOf(sink => writeCoefficients(sink, Int16Array.from([0, value]), 0, 1, 2));
    expect(pair(41)).toBe('000001' + '000000' + '00101001' + '10');
    expect(pair(127)).toBe('000001' + '000000' + '01111111' + '10');
    expect(pair(-127)).toBe('000001' + '000000' + '10000001' + '10');
    expect(pair(128)).toBe('000001' + '000000' + '0000000010000000' + '10');
    expect(pair(-128)).toBe('000001' + '000000' + '1000000010000000' + '10');
    expect(pair(255)).toBe('000001' + '000000' + '0000000011111111' + '10');
    expect(pair(-255)).toBe('000001' + '000000' + '1000000000000001' + '10');
  });

  it.each([true, false])('every DC differential survives (luminance: %s)', luminance => {
    const codes = luminance ? DC_SIZE_LUMINANCE_CODES : DC_SIZE_CHROMINANCE_CODES;
    for (let differential = -255; differential <= 255; differential++) {
      const bits = bitsOf(sink => writeDcDifferential(sink, differential, luminance));
      expect(bits).toHaveLength(dcBits(differential, luminance));
      const reader = new BitReader(bits);
      const size = codes.findIndex(code => reader.startsWith(code));
      reader.skip(codes[size]!);
      const value = reader.take(size);
      const negative = size > 0 && value < 1 << (size - 1);
      expect(negative ? value - (1 << size) + 1 : value).toBe(differential);
    }
  });
});
