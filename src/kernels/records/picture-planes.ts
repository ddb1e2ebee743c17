// Where the planes of a picture lie in kernel memory.
import { defineRecord, type RecordAt, usize } from './record.js';

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
