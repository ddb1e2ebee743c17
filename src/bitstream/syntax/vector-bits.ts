// Counts the bits of a coded picture's vectors.

import { HeaderCursor, type HeaderSymbols } from '../picture-symbols.js';
import { SlicePredictors } from '../slice-predictors.js';
import { motionVectorBits } from './macroblock.js';

/** Bits that the vectors of a picture take in the stream (motion_*_code and motion_*_r). */
export function pictureVectorBits(picture: HeaderSymbols): number {
  const { type, mbWidth, mbHeight, sliceRows, quantizerScale } = picture;
  const predictors = new SlicePredictors(type);
  let bits = 0;
  for (let row = 0; row < mbHeight; row++) {
    if (sliceRows.includes(row)) predictors.startSlice(quantizerScale[row * mbWidth]!);
    bits += vectorBits(picture, predictors, row * mbWidth, mbWidth);
  }
  return bits;
}

/** Vector bits of `count` macroblocks of a slice from address `first` on; the predictors are updated. */
export function vectorBits(picture: HeaderSymbols, predictors: SlicePredictors, first: number, count: number): number {
  const { forwardFCode, backwardFCode } = picture;
  const macroblock = new HeaderCursor(picture);
  let bits = 0;
  for (let address = first; address < first + count; address++) {
    macroblock.address = address;
    bits += motionVectorBits(macroblock, predictors, forwardFCode, backwardFCode);
    predictors.updateHeader(macroblock);
  }
  return bits;
}
