// Predictions of macroblocks from reconstructed pictures, and their error.
import { PicturePlanes } from '../generated/records';
import { PREDICTION_BYTES, PREDICTION_U, PREDICTION_V } from '../generated/tables';
import { sse16x16, sse8x8 } from './block-differences';
import { predictBlock } from './half-pel-prediction';
import { chromaOffset, lumaOf } from './macroblock-blocks';

export function predictMacroblock(
  prediction: usize,
  planes: PicturePlanes,
  mbX: i32,
  mbY: i32,
  dxHalfPels: i32,
  dyHalfPels: i32,
): void {
  const stride = planes.lumaStride;
  const luma = lumaOf(planes, mbX, mbY) + <usize>((dyHalfPels >> 1) * <i32>stride + (dxHalfPels >> 1));
  predictBlock(prediction, 16, luma, stride, 16, dxHalfPels & 1, dyHalfPels & 1);
  // Half the vector, truncated toward zero.
  const dx = dxHalfPels / 2;
  const dy = dyHalfPels / 2;
  const narrow = planes.chromaStride;
  const offset = chromaOffset(planes, mbX, mbY) + <usize>((dy >> 1) * <i32>narrow + (dx >> 1));
  predictBlock(prediction + PREDICTION_U, 8, planes.u + offset, narrow, 8, dx & 1, dy & 1);
  predictBlock(prediction + PREDICTION_V, 8, planes.v + offset, narrow, 8, dx & 1, dy & 1);
}

export function averagePredictions(prediction: usize, other: usize): void {
  for (let i: usize = 0; i < <usize>PREDICTION_BYTES; i += 64) {
    const at = prediction + i;
    const from = other + i;
    v128.store(at, v128.avgr<u8>(v128.load(at), v128.load(from)));
    v128.store(at, v128.avgr<u8>(v128.load(at, 16), v128.load(from, 16)), 16);
    v128.store(at, v128.avgr<u8>(v128.load(at, 32), v128.load(from, 32)), 32);
    v128.store(at, v128.avgr<u8>(v128.load(at, 48), v128.load(from, 48)), 48);
  }
}

export function predictionError(planes: PicturePlanes, mbX: i32, mbY: i32, prediction: usize): i32 {
  const offset = chromaOffset(planes, mbX, mbY);
  const narrow = planes.chromaStride;
  return (
    sse16x16(lumaOf(planes, mbX, mbY), planes.lumaStride, prediction, 16) +
    sse8x8(planes.u + offset, narrow, prediction + PREDICTION_U, 8) +
    sse8x8(planes.v + offset, narrow, prediction + PREDICTION_V, 8)
  );
}
