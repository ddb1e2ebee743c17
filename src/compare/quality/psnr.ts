// Peak signal-to-noise ratio of two frames.
import type { Frame } from '../../picture/frame.js';
import { eachPlane, MAX_PEL, measurePlanes, type PlaneValues } from './plane-values.js';

/** Mean squared error of each plane of two frames of one size; `all` is the mean over all pels of the three planes. */
export function meanSquaredError(a: Frame, b: Frame): PlaneValues {
  return measurePlanes(a, b, plane => squaredErrorSum(a[plane], b[plane]) / a[plane].length);
}

/** Infinity for 0. */
function psnrFromMse(mse: number): number {
  return mse === 0 ? Number.POSITIVE_INFINITY : 10 * Math.log10((MAX_PEL * MAX_PEL) / mse);
}

/** PSNR in dB of each of four mean squared errors, Infinity for 0. `all` is that of the mean error, as in ffmpeg. */
export function planePsnr(mse: PlaneValues): PlaneValues {
  return eachPlane(plane => psnrFromMse(mse[plane]));
}

/** Exact: below 2^53 for any plane (255^2 * 4095 * 2800). */
function squaredErrorSum(a: Uint8Array, b: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) {
    const difference = a[i]! - b[i]!;
    sum += difference * difference;
  }
  return sum;
}
