// Reconstruction of a macroblock, as a decoder shows it.
import { MacroblockTrial, PicturePlanes } from '../generated/records';
import { BLOCK_BYTES, PREDICTION_U, PREDICTION_V } from '../generated/tables';
import { copyBlock } from '../picture/half-pel-prediction';
import { chromaOffset, lumaOf } from '../picture/macroblock-blocks';
import { reconstructBlock } from './inverse-dct';
import { scratch } from '../scratch';

/** The prediction of intra blocks, which have none; read with a stride of 0. */
const black: usize = scratch(16);

// @ts-ignore: decorator
@inline
function reconstructOne(
  target: usize,
  stride: usize,
  prediction: usize,
  predictionStride: usize,
  trial: MacroblockTrial,
  block: i32,
  pattern: i32,
): void {
  if (pattern & (32 >> block)) {
    const reconstruction = trial.reconstruction + <usize>(block * BLOCK_BYTES);
    reconstructBlock(target, stride, prediction, predictionStride, reconstruction);
  } else copyBlock(target, stride, prediction, predictionStride, 8);
}

export function reconstructMacroblock(
  planes: PicturePlanes,
  mbX: i32,
  mbY: i32,
  trial: MacroblockTrial,
  pattern: i32,
  intra: bool,
): void {
  const stride = planes.lumaStride;
  const narrow = planes.chromaStride;
  const luma = lumaOf(planes, mbX, mbY);
  const below = luma + 8 * stride;
  const offset = chromaOffset(planes, mbX, mbY);
  const from = intra ? black : trial.prediction;
  const step: usize = intra ? 0 : 1;
  if (pattern & 0x3c) {
    reconstructOne(luma, stride, from, step * 16, trial, 0, pattern);
    reconstructOne(luma + 8, stride, from + step * 8, step * 16, trial, 1, pattern);
    reconstructOne(below, stride, from + step * 128, step * 16, trial, 2, pattern);
    reconstructOne(below + 8, stride, from + step * 136, step * 16, trial, 3, pattern);
  } else copyBlock(luma, stride, from, step * 16, 16);
  reconstructOne(planes.u + offset, narrow, from + step * PREDICTION_U, step * 8, trial, 4, pattern);
  reconstructOne(planes.v + offset, narrow, from + step * PREDICTION_V, step * 8, trial, 5, pattern);
}
