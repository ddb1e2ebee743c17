// Plans how many bytes of a program stream arrive in each picture period.
import { macroblockGrid } from '../../picture/picture.js';
import { MAX_STD_BUFFER_BYTES, STD_BUFFER_UNIT_BYTES } from './program-stream-syntax.js';

/** Plans how many bytes of the elementary stream are delivered in each picture period. */
export interface DeliverySchedule {
  /** Picture periods from the start of delivery to the decoding of the first picture; 1 or more. */
  readonly startPictures: number;
  /**
   * Takes the bytes of the next access unit, or 0 after the last one. Returns the bytes to deliver in the next picture
   * period. After the last access unit, `startPictures - 1` more calls deliver the rest.
   */
  advance(unitBytes: number): number;
  /** The newest access unit is longer by `bytes`; before the deliveries after the last one. */
  lengthenNewest(bytes: number): void;
}

/**
 * Delivers at the moving average of `windowPictures` picture sizes. This is smooth, and valid for the system target
 * decoder with any sizes, as long as each picture fits into the buffer; ISO/IEC 11172-1 §2.4.2.
 *
 *     S(n) = bytes of pictures 0..n, all taken out of the buffer when picture n is decoded
 *     C(n) = bytes that have arrived by then
 *          = the mean of S(n), S(n+1) .. S(n+W-1), but at most S(n-1) + buffer - reserve
 *
 * S grows, so C(n) >= S(n): no underflow. In the period before picture n is decoded the buffer holds at most C(n) -
 * S(n-1) <= buffer: no overflow. C(n) <= S(n+W-1): no byte arrives more than W periods before its picture is decoded.
 * With 12 pictures this is at most half a second; the standard allows one second. W pictures must be known ahead.
 *
 * Between S(n) and S(n+1), `reserveBytes` more than C(n) may be delivered: they fit into the buffer.
 */
export class SmoothDelivery implements DeliverySchedule {
  readonly startPictures: number;
  /** S(n-1), S(n) .. S(n+W-1). */
  readonly #totals: number[];
  #delivered = 0;

  constructor(
    private readonly bufferBytes: number,
    private readonly reserveBytes = 0,
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
    const target = Math.max(due, Math.min(Math.ceil(mean), decodedBefore + this.bufferBytes - this.reserveBytes));
    const bytes = target - this.#delivered;
    this.#delivered = target;
    return bytes;
  }

  lengthenNewest(bytes: number): void {
    this.#totals.push(this.#totals.pop()! + bytes);
  }
}

/**
 * The longest macroblock: its address, type, scale, four vectors and pattern, and six blocks of 64 coefficients, each
 * an escape code of 28 bits, with their ends; ISO/IEC 11172-2 §2.4.2.7.
 */
const MAX_MACROBLOCK_BYTES = Math.ceil((11 + 6 + 5 + 4 * 17 + 9 + 6 * (64 * 28 + 2)) / 8);
/** More than a sequence header with both matrices, group and picture header and sequence_end_code take together. */
const MAX_PICTURE_HEADERS_BYTES = 512;
/** More than a slice header takes; there is one in each macroblock row. */
const MAX_SLICE_HEADER_BYTES = 8;

/**
 * Size of the system target decoder's buffer for pictures of `width` by `height` pels, in bytes; a multiple of 1024.
 * The buffer holds the longest picture that the syntax allows, zeros of a constant bit rate not counted.
 * The limit is 8191 KiB, which 6176 macroblocks of maximal length would fill; real macroblocks are far shorter.
 */
export function stdBufferBytesFor(width: number, height: number): number {
  const { mbWidth, mbHeight } = macroblockGrid(width, height);
  const longest = mbHeight * (mbWidth * MAX_MACROBLOCK_BYTES + MAX_SLICE_HEADER_BYTES) + MAX_PICTURE_HEADERS_BYTES;
  return Math.min(Math.ceil(longest / STD_BUFFER_UNIT_BYTES) * STD_BUFFER_UNIT_BYTES, MAX_STD_BUFFER_BYTES);
}
