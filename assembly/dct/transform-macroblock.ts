// Forward transform of the six blocks of a macroblock.
import { MacroblockTrial, PicturePlanes } from '../generated/records';
import { BLOCK_BYTES, PREDICTION_U, PREDICTION_V } from '../generated/tables';
import { chromaOffset, lumaOf } from '../picture/macroblock-blocks';
import { forwardDct } from './forward-dct';

/** A row of the mean that intra blocks are expected to have; read with a stride of 0. */
export const gray: usize = memory.data<u8>([128, 128, 128, 128, 128, 128, 128, 128, 0, 0, 0, 0, 0, 0, 0, 0], 16);

export function transformMacroblock(trial: MacroblockTrial, planes: PicturePlanes, mbX: i32, mbY: i32, intra: bool): void {
  const stride = planes.lumaStride;
  const narrow = planes.chromaStride;
  const luma = lumaOf(planes, mbX, mbY);
  const below = luma + 8 * stride;
  const offset = chromaOffset(planes, mbX, mbY);
  const to = trial.coefficients;
  if (intra) {
    forwardDct(to, luma, stride, gray, 0);
    forwardDct(to + BLOCK_BYTES, luma + 8, stride, gray, 0);
    forwardDct(to + 2 * BLOCK_BYTES, below, stride, gray, 0);
    forwardDct(to + 3 * BLOCK_BYTES, below + 8, stride, gray, 0);
    forwardDct(to + 4 * BLOCK_BYTES, planes.u + offset, narrow, gray, 0);
    forwardDct(to + 5 * BLOCK_BYTES, planes.v + offset, narrow, gray, 0);
    return;
  }
  const prediction = trial.prediction;
  forwardDct(to, luma, stride, prediction, 16);
  forwardDct(to + BLOCK_BYTES, luma + 8, stride, prediction + 8, 16);
  forwardDct(to + 2 * BLOCK_BYTES, below, stride, prediction + 128, 16);
  forwardDct(to + 3 * BLOCK_BYTES, below + 8, stride, prediction + 136, 16);
  forwardDct(to + 4 * BLOCK_BYTES, planes.u + offset, narrow, prediction + PREDICTION_U, 8);
  forwardDct(to + 5 * BLOCK_BYTES, planes.v + offset, narrow, prediction + PREDICTION_V, 8);
}
