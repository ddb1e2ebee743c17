// Where the planes of a picture lie in kernel memory, and what one is filtered with.
import { arrayOf, defineRecord, i32, type RecordAt, usize } from './record.js';

/**
 * A picture in kernel memory.
 *
 *     0    y, u, v        pointers to the first pels of Y, Cb and Cr
 *     12   lumaStride     distance of two rows in bytes
 *     16   chromaStride
 *     20
 */
export const PICTURE_PLANES = defineRecord('PicturePlanes', {
  y: usize,
  u: usize,
  v: usize,
  lumaStride: usize,
  chromaStride: usize,
});
export type PicturePlanes = RecordAt<typeof PICTURE_PLANES.fields>;

/** Most references that a plane is filtered with. */
export const MAX_FILTER_REFERENCES = 4;

/**
 * The temporal filter of a plane of luma, see `filterLumaRow`. All planes are tight: their stride is 16 * mbWidth.
 *
 *     0                 8      16       32                  116
 *     | target, current | size | ranges | count, references |
 */
export const TEMPORAL_FILTER = defineRecord('TemporalFilter', {
  /**
   * Pointers to the filtered plane and to the plane itself. Of the first there need be no more than the row that is
   * filtered, which lies in none of the other planes.
   */
  target: usize,
  current: usize,
  /** Macroblocks in a row and in a column. */
  mbWidth: i32,
  mbHeight: i32,
  /**
   * The first whole difference of a pel that counts nothing, 3..181; what squared differences are multiplied by, 1 or
   * more; the product from which on they count nothing, 2^14 - 1..2^15 - 1. That of the first is less than 2^16.
   */
  pelLimit: i32,
  pelFactor: i32,
  pelSquare: i32,
  /** The sum of squared differences of a macroblock from which on it counts nothing, 1..2^24 - 1. */
  maxSquares: i32,
  /** References, 0..MAX_FILTER_REFERENCES. */
  count: i32,
  /**
   * For each reference: pointers to its plane, to dx and to dy in pels (an int16 per macroblock); the sign of these
   * vectors: 1 where they lead from the picture to the reference, -1 where they lead from the reference to the picture;
   * what its weight is derived from, see `filterLumaRow`: so much that a pel counts 128 at most.
   */
  planes: arrayOf('usize', MAX_FILTER_REFERENCES),
  dx: arrayOf('usize', MAX_FILTER_REFERENCES),
  dy: arrayOf('usize', MAX_FILTER_REFERENCES),
  signs: arrayOf('i32', MAX_FILTER_REFERENCES),
  strengths: arrayOf('i32', MAX_FILTER_REFERENCES),
});
export type TemporalFilter = RecordAt<typeof TEMPORAL_FILTER.fields>;
