// Headers byte by byte, fields out of range, and frame rates.

import { describe, expect, it } from 'vitest';
import { BitSink } from '../../../src/bitstream/syntax/bit-sink.js';
import { writeGroupOfPicturesHeader } from '../../../src/bitstream/syntax/group-of-pictures-header.js';
import { writePictureHeader } from '../../../src/bitstream/syntax/picture-header.js';
import {
  VARIABLE_BIT_RATE,
  writeSequenceEnd,
  writeSequenceHeader,
} from '../../../src/bitstream/syntax/sequence-header.js';
import { writeSliceHeader } from '../../../src/bitstream/syntax/slice-header.js';
import { FRAME_RATES, pictureRateCode } from '../../../src/bitstream/tables/frame-rate.js';

/** The bytes that `write` makes, in hexadecimal; bits left over are filled up with zeros. */
function hex(write: (sink: BitSink) => void): string {
  const sink = new BitSink(16);
  write(sink);
  sink.alignWithZeros();
  return Buffer.from(sink.takeBytes()).toString('hex');
}

const header = {
  horizontalSize: 352,
  verticalSize: 288,
  pelAspectRatio: 1,
  pictureRate: 3,
  bitRate: VARIABLE_BIT_RATE,
  vbvBufferSize: 20,
  constrainedParameters: false,
};

describe('headers, byte by byte', () => {
  it('sequence header: 352x288, square pels, 25/s, variable bit rate, 20 units of VBV', () => {
    // 000101100000 000100100000 0001 0011 | 18 ones, marker 1, 0000010100, 0, 0, 0
    expect(hex(sink => writeSequenceHeader(sink, header))).toBe('000001b316012013ffffe0a0');
  });

  it('sequence header with both matrices: 8 + 4 + 2 * 64 bytes, flags before each', () => {
    const intraQuantizerMatrix = Uint8Array.from({ length: 64 }, (_, i) => 8 + i);
    const nonIntraQuantizerMatrix = new Uint8Array(64).fill(16);
    const bytes = hex(sink => writeSequenceHeader(sink, { ...header, intraQuantizerMatrix, nonIntraQuantizerMatrix }));
    expect(bytes).toHaveLength(2 * (12 + 128));
    // ...0000010100 0 1, then 8, 9, 10 from the last bit of that byte on: 0|0001000 0|0001001 0|0001010 0
    expect(bytes.slice(0, 30)).toBe('000001b316012013ffffe0a2' + '101214');
  });

  it('group of pictures header at 1:02:03 and 4 pictures', () => {
    const bytes = (dropFrameFlag: boolean) => {
      const timeCode = { dropFrameFlag, hours: 1, minutes: 2, seconds: 3, pictures: 4 };
      return hex(sink => writeGroupOfPicturesHeader(sink, { timeCode, closedGop: true, brokenLink: false }));
    };
    // 0 00001 000010 1 000011 000100 1 0 -> 00000100 00101000 01100010 01000000
    expect(bytes(false)).toBe('000001b804286240');
    expect(bytes(true)).toBe('000001b884286240');
  });

  it('picture headers of the three types', () => {
    const common = { temporalReference: 5, vbvDelay: 0xffff, forwardFCode: 2, backwardFCode: 3 };
    expect(hex(sink => writePictureHeader(sink, { ...common, type: 'I' }))).toBe('00000100014ffff8');
    // 0000000101 010 16 ones, 0 010, 0
    expect(hex(sink => writePictureHeader(sink, { ...common, type: 'P' }))).toBe('000001000157fff9' + '00');
    // 0000000101 011 16 ones, 0 010 0 011, 0
    expect(hex(sink => writePictureHeader(sink, { ...common, type: 'B' }))).toBe('00000100015ffff9' + '18');
  });

  it('temporal_reference counts modulo 1024', () => {
    const common = { vbvDelay: 0, forwardFCode: 1, backwardFCode: 1, type: 'I' as const };
    const at = (temporalReference: number) => hex(sink => writePictureHeader(sink, { ...common, temporalReference }));
    expect(at(1029)).toBe(at(5));
  });

  it('slice header of row 174 at quantizer_scale 31', () => {
    expect(hex(sink => writeSliceHeader(sink, 174, 31))).toBe('000001aff8');
  });

  it('sequence_end_code', () => {
    expect(hex(writeSequenceEnd)).toBe('000001b7');
  });
});

describe('out of range is an error at the writer', () => {
  it.each([
    [1, 0],
    [4, 2],
    [-1, 5],
    [0x1000000, 24],
    [0, 25],
  ])('putBits(%i, %i) throws', (value, length) => {
    expect(() => new BitSink().putBits(value, length)).toThrow(/does not fit/);
  });

  it('a header field too large for its bits', () => {
    expect(() => hex(sink => writeSequenceHeader(sink, { ...header, horizontalSize: 4096 }))).toThrow(/does not fit/);
  });

  it('takeBytes in the middle of a byte', () => {
    const sink = new BitSink();
    sink.putBits(1, 3);
    expect(() => sink.takeBytes()).toThrow(/not byte-aligned/);
  });
});

describe('frame rates', () => {
  it('each of the eight rates has its code; others have none', () => {
    FRAME_RATES.forEach((rate, index) => {
      expect(pictureRateCode(rate)).toBe(index + 1);
    });
    expect(pictureRateCode({ numerator: 29.97, denominator: 1 })).toBe(4);
    expect(pictureRateCode({ numerator: 15, denominator: 1 })).toBeUndefined();
    expect(pictureRateCode(undefined as never)).toBeUndefined();
    expect(pictureRateCode({ numerator: 24.5, denominator: 1 })).toBeUndefined();
  });
});
