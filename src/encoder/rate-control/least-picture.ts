import type { PictureType } from '../../bitstream/picture-type.js';

/** What the least size of a picture depends on. */
export interface PictureShape {
  readonly macroblocks: number;
  readonly slices: number;
  readonly gop: number;
}

/** Six DC differentials of 15 or 16 bits, an address increment and a type: an intra macroblock without AC at its longest. */
const MAX_DC_MACROBLOCK_BITS = 96;
/** Sequence header with two matrices, group header, picture header, alignment. */
const GROUP_HEADERS_BITS = 8 * (12 + 128 + 8 + 10);
const PICTURE_HEADER_BITS = 8 * 11;
/** Slice header, first and last macroblock, alignment. */
const SLICE_BITS = 38 + 2 * 16 + 8;
/** macroblock_escape, each good for 33 skipped macroblocks. */
const ESCAPE_BITS = 11;
/** From groups of this length on, macroblocks are refreshed, so many pictures apart in the mean. */
const REFRESHING_GOP = 100;
const REFRESH_PICTURES = 20;

/** Bits that a picture of a type takes at most when every macroblock is coded as sparsely as the syntax allows. */
export function leastPictureBits(type: PictureType, { macroblocks, slices, gop }: PictureShape): number {
  const headers = (type === 'I' ? GROUP_HEADERS_BITS : 0) + PICTURE_HEADER_BITS + slices * SLICE_BITS;
  if (type === 'I') return headers + macroblocks * MAX_DC_MACROBLOCK_BITS;
  const refreshed = type === 'P' && gop > REFRESHING_GOP ? macroblocks / REFRESH_PICTURES : 0;
  return headers + Math.ceil(macroblocks / 33) * ESCAPE_BITS + refreshed * MAX_DC_MACROBLOCK_BITS;
}
