// Computes the luma residual of a coded picture.
import type { CodedMacroblocks, VectorPlanes } from '../bitstream/reading/coded-macroblocks.js';
import {
  MACROBLOCK_INTRA,
  MACROBLOCK_MOTION_BACKWARD,
  MACROBLOCK_MOTION_FORWARD,
} from '../bitstream/tables/macroblock-codes.js';
import type { Frame } from '../picture/frame.js';
import { MACROBLOCK_SIZE } from '../picture/picture.js';

/** A coded picture and the decoded pictures that it may be predicted from. */
interface PredictedPicture {
  readonly source: Frame;
  readonly macroblocks: CodedMacroblocks;
  /** The decoded anchor pictures before and after it in display order. */
  readonly before: Frame | undefined;
  readonly after: Frame | undefined;
}

/** Brightness of a difference of 0. */
const MIDDLE = 128;
/** Factor on the differences, so that small ones are visible. */
const GAIN = 2;

/**
 * The luma residual `source - prediction`, doubled about mid-gray, with the coded vectors; ISO/IEC 11172-2 §2.4.4.2.
 * Intra macroblocks have no prediction and are mid-gray. Beyond the display area the last row and column repeat.
 */
export function predictionResidual(picture: PredictedPicture): Uint8Array {
  const { source, macroblocks } = picture;
  const { type, types, mbWidth } = macroblocks;
  const residual = new Uint8Array(source.width * source.height).fill(MIDDLE);
  if (type === 'I') return residual;
  for (let address = 0; address < types.length; address++) {
    if (types[address]! & MACROBLOCK_INTRA) continue;
    const left = (address % mbWidth) * MACROBLOCK_SIZE;
    const top = Math.floor(address / mbWidth) * MACROBLOCK_SIZE;
    const predict = predictor(picture, address);
    for (let y = top; y < Math.min(top + MACROBLOCK_SIZE, source.height); y++) {
      for (let x = left; x < Math.min(left + MACROBLOCK_SIZE, source.width); x++) {
        const at = y * source.width + x;
        const value = MIDDLE + GAIN * (source.y[at]! - predict(x, y));
        residual[at] = Math.max(0, Math.min(255, value));
      }
    }
  }
  return residual;
}

/** The prediction of a macroblock's pels: from one direction, or the rounded mean of both. */
function predictor(picture: PredictedPicture, address: number): (x: number, y: number) => number {
  const { macroblocks, before, after } = picture;
  const used = macroblocks.directions[address]!;
  const past = before && used & MACROBLOCK_MOTION_FORWARD ? sampler(before, macroblocks.forward, address) : undefined;
  const future = after && used & MACROBLOCK_MOTION_BACKWARD ? sampler(after, macroblocks.backward, address) : undefined;
  if (past && future) return (x, y) => (past(x, y) + future(x, y) + 1) >> 1;
  return past ?? future ?? (() => MIDDLE);
}

/** Luma displaced by half-pels: the rounded mean of one, two or four pels; ISO/IEC 11172-2 §2.4.4.2. */
function sampler(
  { width, height, y: luma }: Frame,
  vectors: VectorPlanes,
  address: number,
): (x: number, y: number) => number {
  const [dxHalfPels, dyHalfPels] = [vectors.dx[address]!, vectors.dy[address]!];
  const [dx, dy] = [dxHalfPels >> 1, dyHalfPels >> 1];
  const [halfX, halfY] = [dxHalfPels & 1, dyHalfPels & 1];
  const pel = (x: number, y: number) =>
    luma[Math.max(0, Math.min(height - 1, y)) * width + Math.max(0, Math.min(width - 1, x))]!;
  return (x, y) => {
    const [left, top] = [x + dx, y + dy];
    if (!halfX && !halfY) return pel(left, top);
    if (!halfY) return (pel(left, top) + pel(left + 1, top) + 1) >> 1;
    if (!halfX) return (pel(left, top) + pel(left, top + 1) + 1) >> 1;
    return (pel(left, top) + pel(left + 1, top) + pel(left, top + 1) + pel(left + 1, top + 1) + 2) >> 2;
  };
}
