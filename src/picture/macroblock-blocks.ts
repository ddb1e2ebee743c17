// Where the six blocks of a macroblock lie in a picture and in a prediction.
import { PREDICTION_U, PREDICTION_V } from '../kernels/records/macroblock-trial.js';
import type { PicturePlanes } from '../kernels/records/picture-planes.js';

/** Offsets of the six blocks within a prediction, and their strides there. */
export const PREDICTION_OFFSETS: readonly number[] = [0, 8, 128, 136, PREDICTION_U, PREDICTION_V];
export const PREDICTION_STRIDES: readonly number[] = [16, 16, 16, 16, 8, 8];

/** Pointer to one of the six blocks of a macroblock in a picture, and its stride. */
export function blockInPicture(
  planes: PicturePlanes,
  mbX: number,
  mbY: number,
  block: number,
): { readonly at: number; readonly stride: number } {
  const { lumaStride, chromaStride } = planes;
  if (block < 4) {
    const y = mbY * 16 + (block >> 1) * 8;
    return { at: planes.y + y * lumaStride + mbX * 16 + (block & 1) * 8, stride: lumaStride };
  }
  return { at: (block === 4 ? planes.u : planes.v) + mbY * 8 * chromaStride + mbX * 8, stride: chromaStride };
}
