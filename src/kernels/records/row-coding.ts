// What codeRow works with: what is wanted of the macroblocks of a picture, and which rows of its anchors are final.
import { MACROBLOCK_CODING } from './macroblock-coding.js';
import { defineRecord, f64, i32, pointerTo, type RecordAt, usize } from './record.js';

/** What is true of a row, added up. */
export const ROW_STARTS_SLICE = 1;
export const ROW_ENDS_SLICE = 2;
/** Its macroblocks may have another scale than the wanted one, see MAY_CHANGE_SCALE. */
export const ROW_MAY_CHANGE_SCALES = 4;
/** It has been coded before, see WAS_CODED. */
export const ROW_WAS_CODED = 8;

/** When macroblocks are coded as sparsely as the syntax allows: never, once a picture has few bits left, or always. */
export const SPARSE_NEVER = 0;
export const SPARSE_NEAR_LIMIT = 1;
export const SPARSE_ALWAYS = 2;

/**
 * The rows of an anchor, in one direction.
 *
 *     0           4                   12         20
 *     | finalRows | rows known, needed | reach    |
 */
export const ANCHOR_ROWS = defineRecord('AnchorRows', {
  /** Pointer to an int32 that another thread may change: how many rows of macroblocks, from the top, are final. */
  finalRows: usize,
  /** Rows that are known to be final. */
  knownRows: i32,
  /** The most rows that a macroblock has needed so far, where not all were known to be final. */
  neededRows: i32,
  /** How far refinements may move a vector at most, in half-pels. */
  furthestHalfPels: i32,
  /** 1: vectors chosen around a macroblock may be tried; 0: they are not. */
  usesNeighbours: i32,
});
export type AnchorRows = RecordAt<typeof ANCHOR_ROWS.fields>;

/**
 * The coding of the rows of a picture.
 *
 *     0                28            88            92
 *     | pointers       | the picture | bits so far |
 */
export const ROW_CODING = defineRecord('RowCoding', {
  coding: pointerTo(MACROBLOCK_CODING),
  /** Of P and B pictures; of B pictures. */
  pastRows: pointerTo(ANCHOR_ROWS),
  futureRows: pointerTo(ANCHOR_ROWS),
  /** Pointers to the scale factors and the lambda factors of the macroblocks, float64; 0: all are 1. */
  scaleFactors: usize,
  lambdaFactors: usize,
  /**
   * Pointers to a byte per macroblock: how many times in a row it has been predicted, in the past anchor and in this
   * picture; 0: nobody asks.
   */
  predictionsBefore: usize,
  predictions: usize,
  mbHeight: i32,
  /** Of a P picture: how many I and P pictures are coded before it. */
  anchorNumber: i32,
  /** Where the band of finer scales begins, see wholeScale. */
  bandStart: i32,
  /** Columns that must be intra: from the first one on, before the end; both -1: none. */
  firstColumn: i32,
  endColumn: i32,
  /** The greatest horizontal position of a prediction, in half-pels: in the picture; in the columns before those. */
  maxXHalfPels: i32,
  maxCleanXHalfPels: i32,
  /** 1: the first macroblock of each row has a scale of its own, as if a slice started. */
  startsScales: i32,
  /** SPARSE_NEVER, SPARSE_NEAR_LIMIT or SPARSE_ALWAYS. */
  sparseCoding: i32,
  /** Bits of a sparse macroblock. */
  sparseBits: i32,
  /** Bits of the picture, its macroblocks to come counted as sparse, above which the next one must be sparse. */
  maxBits: f64,
  /** The picture scale, which lambda follows; 1..31. */
  pictureScale: f64,
  /** Bits of the macroblocks of the picture so far, without slice headers; 0 where they are not counted. */
  bits: i32,
});
export type RowCoding = RecordAt<typeof ROW_CODING.fields>;
