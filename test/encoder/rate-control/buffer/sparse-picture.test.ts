// How few bits a picture can be coded with: what each macroblock takes that must be there.
import { describe, expect, it } from 'vitest';
import {
  MAX_DC_MACROBLOCK_BITS,
  type PictureShape,
  sparseGroupBits,
  sparsePictureBits,
} from '../../../../src/encoder/rate-control/buffer/sparse-picture.js';

const SHAPE: PictureShape = { macroblocks: 330, slices: 1, gop: 250 };

describe('the sparsest picture', () => {
  it('has a macroblock_escape of 11 bits for each 33 skipped macroblocks, and for the rest of them', () => {
    const skipped = (macroblocks: number) => sparsePictureBits('B', { ...SHAPE, macroblocks });
    expect(skipped(34) - skipped(33)).toBe(11);
    expect(skipped(66) - skipped(34)).toBe(0);
    expect(skipped(67) - skipped(66)).toBe(11);
  });

  it('has intra macroblocks from the 100th prediction on: one of 31 is due in a P picture', () => {
    const bits = (sinceIntra: number) => sparsePictureBits('P', SHAPE, sinceIntra);
    expect(bits(99)).toBe(bits(1));
    expect(bits(100) - bits(99)).toBe(Math.ceil(SHAPE.macroblocks / 31) * MAX_DC_MACROBLOCK_BITS);
    expect(sparsePictureBits('P', SHAPE)).toBe(bits(249));
    expect(sparsePictureBits('B', SHAPE, 200)).toBe(sparsePictureBits('B', SHAPE, 1));
  });

  it('may begin a group where columns are refreshed, and has their intra macroblocks beside those that are due', () => {
    const headers = (type: 'I' | 'P') => sparsePictureBits(type, { macroblocks: 0, slices: 1, gop: 12 });
    const groupHeaders = headers('I') - headers('P');
    expect(groupHeaders).toBeGreaterThan(0);
    for (const [gop, sinceIntra] of [
      [12, 11],
      [250, 249],
    ] as const) {
      const more = (since: number) =>
        sparsePictureBits('P', { ...SHAPE, gop, refreshed: 15 }, since) -
        sparsePictureBits('P', { ...SHAPE, gop }, sinceIntra);
      expect(more(sinceIntra)).toBe(groupHeaders + 15 * MAX_DC_MACROBLOCK_BITS);
      // A column is intra once a group: how long ago there was an I picture does not matter.
      expect(more(1)).toBe(more(sinceIntra));
    }
  });

  it.each([1, 2, 99, 100, 101, 102, 250])('in a group of %i takes what its place in the group demands', gop => {
    const shape = { ...SHAPE, gop };
    let bits = sparsePictureBits('I', shape);
    for (let sinceIntra = 1; sinceIntra < gop; sinceIntra++) bits += sparsePictureBits('P', shape, sinceIntra);
    expect(sparseGroupBits(shape)).toBe(bits);
  });
});
