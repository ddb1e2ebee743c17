import type { MotionField } from '../../motion/estimator.js';
import type { Frame } from '../../picture/frame.js';
import { meanSquaredError, type PlaneValues, psnrFromMse } from '../quality/metrics.js';
import { predictFrame } from './motion-compensation.js';

/** How far two frames are apart, over the display area. `all` of a sum is the planes' sum, of a mean that of all pels. */
export interface FrameDifference {
  /** Sum of absolute differences. */
  readonly sad: PlaneValues;
  /** Mean squared error. */
  readonly mse: PlaneValues;
  /** Of `mse`, in dB; Infinity where a plane is equal. */
  readonly psnr: PlaneValues;
}

/** What motion compensation does for one pair of frames. */
export interface PairStudy {
  /** The prediction of `current` from `reference` by the field's best vectors. */
  readonly predicted: Frame;
  /** `current` against `reference` as it is. */
  readonly before: FrameDifference;
  /** `current` against the prediction. */
  readonly after: FrameDifference;
}

/** The frame difference of a pair before and after full-pel motion compensation. Throws InputError unless the sizes agree. */
export function studyPair(current: Frame, reference: Frame, field: MotionField): PairStudy {
  const before = frameDifference(current, reference);
  const predicted = predictFrame(reference, field);
  return { predicted, before, after: frameDifference(current, predicted) };
}

/** How far `b` is from `a`. Throws InputError where their sizes differ. */
export function frameDifference(a: Frame, b: Frame): FrameDifference {
  const mse = meanSquaredError(a, b);
  const y = absoluteDifferences(a.y, b.y);
  const u = absoluteDifferences(a.u, b.u);
  const v = absoluteDifferences(a.v, b.v);
  return { sad: { y, u, v, all: y + u + v }, mse, psnr: eachPlane(plane => psnrFromMse(mse[plane])) };
}

/** The mean of several differences: mean SAD and MSE, and the PSNR of that mean error, as ffmpeg sums up a sequence. */
export class MeanDifference {
  #pairs = 0;
  readonly #sad = { y: 0, u: 0, v: 0, all: 0 };
  readonly #mse = { y: 0, u: 0, v: 0, all: 0 };

  add({ sad, mse }: FrameDifference): void {
    this.#pairs++;
    for (const plane of PLANES) {
      this.#sad[plane] += sad[plane];
      this.#mse[plane] += mse[plane];
    }
  }

  /** NaN throughout before the first. */
  mean(): FrameDifference {
    const mse = eachPlane(plane => this.#mse[plane] / this.#pairs);
    return {
      sad: eachPlane(plane => this.#sad[plane] / this.#pairs),
      mse,
      psnr: eachPlane(plane => psnrFromMse(mse[plane])),
    };
  }
}

const PLANES = ['y', 'u', 'v', 'all'] as const;

function eachPlane(value: (plane: (typeof PLANES)[number]) => number): PlaneValues {
  return { y: value('y'), u: value('u'), v: value('v'), all: value('all') };
}

function absoluteDifferences(a: Uint8Array, b: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += Math.abs(a[i]! - b[i]!);
  return sum;
}
