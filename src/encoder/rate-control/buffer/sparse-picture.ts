// How few bits a picture can be coded with.
import type { PictureType } from '../../../bitstream/picture-type.js';
import { START_CODE_BITS } from '../../../bitstream/start-codes.js';
import { ESCAPE_INCREMENT, MACROBLOCK_ESCAPE } from '../../../bitstream/tables/macroblock-codes.js';
import { SPARSE_INTRA_BITS } from '../../../macroblock/mode-limits.js';
import { EARLIEST_REFRESH, TURN_PICTURES } from '../../../macroblock/row/intra-refresh.js';
import type { MacroblockGrid } from '../../../picture/picture.js';

/** What the size of the sparsest picture depends on. */
export interface PictureShape {
  readonly macroblocks: number;
  readonly slices: number;
  readonly gop: number;
  /** Macroblocks that are intra in every P picture, any of which may begin a group; none where it is left out. */
  readonly refreshed?: number;
}

/** The shape of pictures of a size. */
export function pictureShape(
  { mbWidth, mbHeight }: MacroblockGrid,
  slices: number,
  gop: number,
  refreshed = 0,
): PictureShape {
  return { macroblocks: mbWidth * mbHeight, slices, gop, refreshed };
}

/** sequence_end_code, which belongs to the last access unit. */
export const SEQUENCE_END_BITS = START_CODE_BITS;
/** An intra macroblock without AC coefficients, at most: six DC differentials of 15 or 16 bits, and the rest. */
export const MAX_DC_MACROBLOCK_BITS = 4 * 15 + 2 * 16 + SPARSE_INTRA_BITS;
/** Sequence header with two matrices, group header and their alignment. */
const GROUP_HEADERS_BITS = 8 * (12 + 128 + 8 + 10);
const PICTURE_HEADER_BITS = 8 * 11;
/** Slice header, first and last macroblock, alignment. */
const SLICE_BITS = 38 + 2 * 16 + 8;
/** macroblock_escape, which stands for ESCAPE_INCREMENT skipped macroblocks. */
const ESCAPE_BITS = MACROBLOCK_ESCAPE.length;

/**
 * An upper bound of the bits of a picture whose macroblocks are all coded as sparsely as the syntax allows.
 * `sinceIntra`: how many pictures after an I picture it is, at most.
 */
export function sparsePictureBits(
  type: PictureType,
  { macroblocks, slices, gop, refreshed = 0 }: PictureShape,
  sinceIntra = gop - 1,
): number {
  const headers = (type === 'I' || refreshed > 0 ? GROUP_HEADERS_BITS : 0) + PICTURE_HEADER_BITS + slices * SLICE_BITS;
  if (type === 'I') return headers + macroblocks * MAX_DC_MACROBLOCK_BITS;
  // Columns are intra once a group, whether it begins with an I picture or not.
  const predictions = refreshed > 0 ? gop - 1 : sinceIntra;
  const due = type === 'P' && predictions >= EARLIEST_REFRESH ? Math.ceil(macroblocks / TURN_PICTURES) : 0;
  return headers + Math.ceil(macroblocks / ESCAPE_INCREMENT) * ESCAPE_BITS + (due + refreshed) * MAX_DC_MACROBLOCK_BITS;
}

/** Bits of a group of the sparsest pictures, an I picture and P pictures. */
export function sparseGroupBits(shape: PictureShape): number {
  const { gop } = shape;
  const early = Math.min(gop, EARLIEST_REFRESH) - 1;
  return (
    sparsePictureBits('I', shape) +
    early * sparsePictureBits('P', shape, early) +
    (gop - 1 - early) * sparsePictureBits('P', shape)
  );
}
