// Counts the bits of a coded picture's vectors.

import { HeaderCursor, type HeaderSymbols } from '../../bitstream/picture-symbols.js';
import { SlicePredictors } from '../../bitstream/slice-predictors.js';
import { motionVectorBits } from '../../bitstream/syntax/macroblock.js';

/** Bits that the vectors of a picture take in the stream (motion_*_code and motion_*_r). */
export function pictureVectorBits(picture: HeaderSymbols): number {
  const { type, flags, mbWidth, sliceRows, quantizerScale, forwardFCode, backwardFCode } = picture;
  const macroblock = new HeaderCursor(picture);
  const predictors = new SlicePredictors(type);
  let bits = 0;
  for (let address = 0; address < flags.length; address++) {
    const startsSlice = address % mbWidth === 0 && sliceRows.includes(address / mbWidth);
    if (startsSlice) predictors.startSlice(quantizerScale[address]!);
    macroblock.address = address;
    bits += motionVectorBits(macroblock, predictors, forwardFCode, backwardFCode);
    predictors.updateHeader(macroblock);
  }
  return bits;
}
