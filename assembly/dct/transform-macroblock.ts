// Forward transform of the six blocks of a macroblock.
import { MacroblockTrial, PicturePlanes } from '../generated/records';
import { BLOCKS_PER_MACROBLOCK, BLOCK_BYTES, PREDICTION_U, PREDICTION_V } from '../generated/tables';
import { chromaOffset, lumaOf } from '../picture/macroblock-blocks';
import { forwardDct } from './forward-dct';

/** A row of the mean that intra blocks are expected to have; read with a stride of 0. */
export const gray: usize = memory.data<u8>([128, 128, 128, 128, 128, 128, 128, 128, 0, 0, 0, 0, 0, 0, 0, 0], 16);

export function transformMacroblock(trial: MacroblockTrial, planes: PicturePlanes, mbX: i32, mbY: i32, intra: bool): void {
  for (let block = 0; block < BLOCKS_PER_MACROBLOCK; block++) transformBlock(trial, planes, mbX, mbY, block, intra);
}

/** Transforms one of the blocks. */
export function transformBlock(
  trial: MacroblockTrial,
  planes: PicturePlanes,
  mbX: i32,
  mbY: i32,
  block: i32,
  intra: bool,
): void {
  const to = trial.coefficients + <usize>(block * BLOCK_BYTES);
  let prediction = trial.prediction;
  let predictionStride = 16;
  let stride = planes.lumaStride;
  let source: usize;
  if (block < 4) {
    const x = <usize>((block & 1) << 3);
    const y = <usize>((block >> 1) << 3);
    source = lumaOf(planes, mbX, mbY) + y * stride + x;
    prediction += 16 * y + x;
  } else {
    stride = planes.chromaStride;
    source = chromaOffset(planes, mbX, mbY) + (block == 4 ? planes.u : planes.v);
    prediction += block == 4 ? PREDICTION_U : PREDICTION_V;
    predictionStride = 8;
  }
  if (intra) forwardDct(to, source, stride, gray, 0);
  else forwardDct(to, source, stride, prediction, predictionStride);
}
