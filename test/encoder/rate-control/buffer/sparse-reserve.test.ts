// The bits that the decoder's buffer keeps for the sparsest form of pictures to come.
import { describe, expect, it } from 'vitest';
import type { PictureType } from '../../../../src/bitstream/picture-type.js';
import { type PictureShape, sparsePictureBits } from '../../../../src/encoder/rate-control/buffer/sparse-picture.js';
import { SparseReserve } from '../../../../src/encoder/rate-control/buffer/sparse-reserve.js';

const SHAPE: PictureShape = { macroblocks: 120, slices: 1, gop: 12 };
const INTRA_BITS = sparsePictureBits('I', SHAPE);
const PREDICTED_BITS = sparsePictureBits('P', SHAPE, 1);
const GAINED_BITS = 1000;
const BUFFER = {
  isConstantRate: false,
  sizeBits: 10 * INTRA_BITS,
  startBits: 10 * INTRA_BITS,
  fillBits: PREDICTED_BITS + GAINED_BITS,
};

const predicted = (pictures: number) => new Array<PictureType>(pictures).fill('P');

describe('the reserve of sparse pictures', () => {
  it.each([1, 1 / 2])('holds another I picture when its bits have come in, of which it keeps a part: %f', part => {
    const reserve = new SparseReserve(BUFFER, SHAPE, 0, part);
    expect(reserve.holdsIntra).toBe(true);
    reserve.take('I');
    expect(reserve.bitsAfter([])).toBe(BUFFER.fillBits);
    const pictures = Math.ceil((INTRA_BITS - BUFFER.fillBits) / (part * GAINED_BITS));
    for (let n = 0; n < pictures; n++) {
      expect(reserve.holdsIntra).toBe(false);
      reserve.take('P');
    }
    expect(reserve.holdsIntra).toBe(true);
  });

  it('tells what is left after pictures, and keeps what it has', () => {
    const reserve = new SparseReserve(BUFFER, SHAPE, 0);
    expect(reserve.bitsAfter(['I', 'P', 'P'])).toBe(BUFFER.fillBits + 2 * GAINED_BITS);
    expect(reserve.bitsAfter(['I', 'P', 'P'])).toBe(BUFFER.fillBits + 2 * GAINED_BITS);
    expect(reserve.holdsIntra).toBe(true);
  });

  it('grows to one I picture, and what comes in while B pictures wait for the one that they are shown before', () => {
    expect(new SparseReserve(BUFFER, SHAPE, 0).bitsAfter(predicted(99))).toBe(INTRA_BITS);
    expect(new SparseReserve(BUFFER, SHAPE, 2).bitsAfter(predicted(99))).toBe(INTRA_BITS + 2 * GAINED_BITS);
  });

  it('gives what macroblocks take that must be intra, from the 100th picture after an I picture on', () => {
    const shape = { ...SHAPE, gop: 250 };
    const reserve = new SparseReserve({ ...BUFFER, fillBits: PREDICTED_BITS }, shape, 0);
    const left = (pictures: number) => reserve.bitsAfter(['I', ...predicted(pictures)]);
    expect(left(99)).toBe(left(0));
    expect(left(99) - left(100)).toBe(sparsePictureBits('P', shape, 100) - PREDICTED_BITS);
    expect(left(100)).toBeLessThan(left(99));
  });
});
