// The decoder's buffer of a live stream: it bounds the bits of a picture, and so how long one takes to arrive.
import { VBV_BUFFER_UNIT_BYTES } from '../../bitstream/syntax/sequence-header.js';
import { type PictureShape, SEQUENCE_END_BITS, sparsePictureBits } from '../rate-control/buffer/sparse-picture.js';

/**
 * Pictures' worth of bits that the buffer has: an I picture, which takes three or four times the mean, arrives within
 * so many picture periods. docs/decisions/low-latency.md has what other sizes give.
 */
const BUFFER_PICTURES = 4;
/** A buffer that the sparsest I picture nearly fills has so many pictures' worth beside it. */
const PICTURES_BESIDE_INTRA = 2;

/** The buffer in bytes, a multiple of 2048, for a rate that brings `fillBits` a picture. */
export function liveBufferBytes(fillBits: number, shape: PictureShape): number {
  const intraBits = sparsePictureBits('I', shape) + SEQUENCE_END_BITS;
  const bits = Math.max(BUFFER_PICTURES * fillBits, intraBits + PICTURES_BESIDE_INTRA * fillBits);
  return Math.ceil(bits / 8 / VBV_BUFFER_UNIT_BYTES) * VBV_BUFFER_UNIT_BYTES;
}
