// Measures how much motion compensation reduces the difference of two frames.
import type { MotionField } from '../../motion/estimator.js';
import type { Frame } from '../../picture/frame.js';
import { PlaneMean, type PlaneValues } from '../quality/plane-values.js';
import { meanSquaredError, planePsnr } from '../quality/psnr.js';
import { predictFrame } from './motion-compensation.js';

/**
 * The difference of two frames over the display area. `all` is the sum of the planes for SAD, the mean of all pels for
 * MSE.
 */
export interface FrameDifference {
  /** Sum of absolute differences. */
  readonly sad: PlaneValues;
  /** Mean squared error. */
  readonly mse: PlaneValues;
  /** Of `mse`, in dB; Infinity for equal planes. */
  readonly psnr: PlaneValues;
}

/** What motion compensation does for one pair of frames. */
export interface PairStudy {
  /** The prediction of `current` from `reference` by the field's best vectors. */
  readonly predicted: Frame;
  /** Difference of `current` and `reference`. */
  readonly before: FrameDifference;
  /** Difference of `current` and the prediction. */
  readonly after: FrameDifference;
}

/** The frame difference of a pair before and after full-pel motion compensation. Throws an InputError for two sizes. */
export function studyPair(current: Frame, reference: Frame, field: MotionField): PairStudy {
  const before = frameDifference(current, reference);
  const predicted = predictFrame(reference, field);
  return { predicted, before, after: frameDifference(current, predicted) };
}

function frameDifference(a: Frame, b: Frame): FrameDifference {
  const mse = meanSquaredError(a, b);
  const y = sumOfAbsoluteDifferences(a.y, b.y);
  const u = sumOfAbsoluteDifferences(a.u, b.u);
  const v = sumOfAbsoluteDifferences(a.v, b.v);
  return { sad: { y, u, v, all: y + u + v }, mse, psnr: planePsnr(mse) };
}

/**
 * The mean of several differences: mean SAD, mean MSE, and the PSNR of that mean MSE, as ffmpeg computes a sequence's.
 */
export class MeanDifference {
  readonly #sad = new PlaneMean();
  readonly #mse = new PlaneMean();

  add({ sad, mse }: FrameDifference): void {
    this.#sad.add(sad);
    this.#mse.add(mse);
  }

  /** NaN before the first difference. */
  mean(): FrameDifference {
    const mse = this.#mse.mean();
    return { sad: this.#sad.mean(), mse, psnr: planePsnr(mse) };
  }
}

function sumOfAbsoluteDifferences(a: Uint8Array, b: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += Math.abs(a[i]! - b[i]!);
  return sum;
}
