// What the pattern kernel works on: a picture's planes, the pattern's samples, and where the answer goes.
import { defineRecord, i32, usize } from './record.js';

/**
 * A search of a pattern in a picture. A *sample* is one component of one pel of the pattern that counts: its value, and
 * its distance in bytes from the place of the pattern in the first plane.
 *
 *     0    columns
 *     4    stride
 *     8    samples
 *     12   limit
 *     16   planes
 *     20   offsets
 *     24   values
 *     28   found
 *     32
 */
export const PATTERN_SEARCH = defineRecord('PatternSearch', {
  /** Places in a row: the picture's width less the pattern's, plus 1. */
  columns: i32,
  /** Bytes from one row of a plane to the next. */
  stride: i32,
  /** Number of samples, at least 1. */
  samples: i32,
  /** Largest sum of absolute differences of a place that is found, 0..2^31 - 1. */
  limit: i32,
  /** Pointer to the planes of the picture. */
  planes: usize,
  /** Pointers to the samples: the distance of each (i32), and the value of each (u8). */
  offsets: usize,
  values: usize,
  /** Pointer to the answer, room for `columns` entries: x and the sum of each place, u32 both. */
  found: usize,
});
