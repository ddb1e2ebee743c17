import { macroblockGrid } from '../../picture/picture.js';
import { MAX_STD_BUFFER_BYTES, STD_BUFFER_UNIT_BYTES } from './program-stream-syntax.js';

/** Says how many bytes of the elementary stream a system stream delivers in each picture period. */
export interface DeliverySchedule {
  /** Picture periods from the start of delivery to the decoding of the first picture, >= 1. */
  readonly startPictures: number;
  /**
   * Takes the bytes of the next access unit, or 0 after the last one; returns the bytes to deliver in the next picture
   * period. After the last access unit, `startPictures - 1` more calls deliver what is left.
   */
  advance(unitBytes: number): number;
}

/**
 * Delivery at the moving average of `windowPictures` picture sizes: smooth, and valid for the system target decoder
 * whatever the sizes, as long as each picture fits into the buffer; ISO/IEC 11172-1 §2.4.2.
 *
 *     S(n) = bytes of pictures 0..n, all taken out of the buffer when picture n is decoded
 *     C(n) = bytes that have arrived by then
 *          = the mean of S(n), S(n+1) .. S(n+W-1), but at most S(n-1) + buffer
 *
 * S grows, so C(n) >= S(n): no underflow. In the period before picture n is decoded the buffer holds at most
 * C(n) - S(n-1) <= buffer: no overflow. C(n) <= S(n+W-1): no byte arrives more than W periods before its picture is
 * decoded (half a second at most with 12; the standard allows one), and W pictures are all that need be known ahead.
 */
export class SmoothDelivery implements DeliverySchedule {
  readonly startPictures: number;
  /** S(n-1), S(n) .. S(n+W-1). */
  readonly #totals: number[];
  #delivered = 0;

  constructor(
    private readonly bufferBytes: number,
    windowPictures = 12,
  ) {
    this.startPictures = windowPictures;
    this.#totals = new Array<number>(windowPictures + 1).fill(0);
  }

  advance(unitBytes: number): number {
    const totals = this.#totals;
    totals.push(totals.at(-1)! + unitBytes);
    totals.shift();
    const [decodedBefore, due] = totals as [number, number];
    const mean = totals.reduce((sum, total) => sum + total, -decodedBefore) / this.startPictures;
    const target = Math.max(due, Math.min(Math.ceil(mean), decodedBefore + this.bufferBytes));
    const bytes = target - this.#delivered;
    this.#delivered = target;
    return bytes;
  }
}

/** Longest macroblock: six blocks of 64 coefficients, each a long escape of 28 bits, and some 60 bits before them. */
const MAX_MACROBLOCK_BYTES = 1352;
/** Sequence header with both matrices, group and picture headers, sequence_end_code; and a slice header a row. */
const HEADERS_BYTES = 512;
const SLICE_HEADER_BYTES = 8;

/**
 * The buffer that a stream of `width` by `height` pels asks of the system target decoder, in bytes, a multiple of 1024: it
 * holds the longest picture that the syntax can make, so that no constant-quantizer encode breaks it, up to the largest
 * buffer there is (8191 KiB, reached from 6200 macroblocks on, where 1350 bytes a macroblock are a theoretical matter).
 */
export function stdBufferBytesFor(width: number, height: number): number {
  const { mbWidth, mbHeight } = macroblockGrid(width, height);
  const longest = mbHeight * (mbWidth * MAX_MACROBLOCK_BYTES + SLICE_HEADER_BYTES) + HEADERS_BYTES;
  return Math.min(Math.ceil(longest / STD_BUFFER_UNIT_BYTES) * STD_BUFFER_UNIT_BYTES, MAX_STD_BUFFER_BYTES);
}
