// A picture that repeats its past anchor.
import { BLOCKS_PER_MACROBLOCK } from '../../bitstream/macroblock-layout.js';
import type { PictureSymbols } from '../../bitstream/picture-symbols.js';
import { MACROBLOCK_MOTION_FORWARD } from '../../bitstream/tables/macroblock-codes.js';
import type { MacroblockGrid } from '../../picture/picture.js';

/**
 * The symbols of a P picture that copies all of its past anchor: every macroblock is skipped but the first and the last
 * of each slice, which have the zero vector, since these must not be skipped; ISO/IEC 11172-2 §2.4.4.4.
 */
export function repetitionSymbols({ mbWidth, mbHeight }: MacroblockGrid, sliceRows: readonly number[]): PictureSymbols {
  const macroblocks = mbWidth * mbHeight;
  const flags = new Uint8Array(macroblocks);
  for (const row of sliceRows) {
    flags[row * mbWidth] = MACROBLOCK_MOTION_FORWARD;
    flags[(row * mbWidth || macroblocks) - 1] = MACROBLOCK_MOTION_FORWARD; // the last of the slice before
  }
  const zeros = new Int16Array(macroblocks);
  return {
    type: 'P',
    mbWidth,
    mbHeight,
    sliceRows,
    forwardFCode: 1,
    backwardFCode: 1,
    flags,
    direction: new Uint8Array(macroblocks).fill(MACROBLOCK_MOTION_FORWARD),
    quantizerScale: new Uint8Array(macroblocks).fill(1),
    forwardDxHalfPels: zeros,
    forwardDyHalfPels: zeros,
    backwardDxHalfPels: zeros,
    backwardDyHalfPels: zeros,
    codedBlockPattern: new Uint8Array(macroblocks),
    levelEnd: new Uint8Array(macroblocks * BLOCKS_PER_MACROBLOCK),
    levels: new Int16Array(0),
  };
}
