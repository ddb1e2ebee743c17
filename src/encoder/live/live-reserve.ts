// What the decoder's buffer keeps for an I picture that may be requested at any time.
import { type PictureShape, SEQUENCE_END_BITS, sparsePictureBits } from '../rate-control/buffer/sparse-picture.js';
import { SparseReserve } from '../rate-control/buffer/sparse-reserve.js';
import type { BufferSettings } from '../rate-control/rate-settings.js';

/**
 * The part of what comes in beyond a sparse picture that goes into the reserve: the pictures after an I picture have
 * the rest at least.
 */
const RESERVED_PART = 1 / 2;

/** What the buffer keeps for the next I picture. After one it grows again, picture by picture. */
export function liveReserve(buffer: BufferSettings, shape: PictureShape): SparseReserve {
  return new SparseReserve(buffer, shape, 0, RESERVED_PART);
}

/** What must be left after a picture, before the buffer is filled for the next one: that one may be a key frame. */
export function liveReserveBits(fillBits: number, shape: PictureShape): number {
  return Math.max(0, sparsePictureBits('I', shape) + SEQUENCE_END_BITS - fillBits);
}
