// Compares a motion field with the true optical flow.
import { InputError } from '../../errors.js';
import { type Flow, isKnownFlow } from '../../media/maps/flow.js';
import type { MotionField } from '../../motion/estimator.js';

/** A field as dense flow over `width` x `height` pels: each pel has the best vector of its block. */
export function flowOfField(field: MotionField, width: number, height: number): Flow {
  const u = new Float32Array(width * height);
  const v = new Float32Array(width * height);
  for (let y = 0; y < height; y++) {
    const row = Math.floor(y / field.blockSize) * field.blockColumns;
    for (let x = 0; x < width; x++) {
      const at = (row + Math.floor(x / field.blockSize)) * field.candidatesPerBlock;
      u[y * width + x] = field.dx[at]!;
      v[y * width + x] = field.dy[at]!;
    }
  }
  return { width, height, u, v };
}

/** The errors of estimated flow: for each pel the length of the difference from the true vector, in pels. */
export interface EndpointError {
  readonly mean: number;
  readonly median: number;
  /** Share of pels, 0..1, with an error above 1 pel, and above 3 pels. */
  readonly above1: number;
  readonly above3: number;
  /** Fl-all of KITTI 2015: share of pels with an error above 3 pels and above 5 % of the true vector's length. */
  readonly flAll: number;
  /** Number of compared pels: those whose true motion is known. */
  readonly pels: number;
}

/** An outlier of KITTI 2015 has an error above this, and above this share of the true vector's length. */
const OUTLIER_PELS = 3;
const OUTLIER_SHARE = 0.05;

/** The errors of `estimated`. Throws an InputError, with `name` for the truth, if no pel can be compared. */
export function endpointError(estimated: Flow, truth: Flow, name: string): EndpointError {
  if (estimated.width !== truth.width || estimated.height !== truth.height) {
    const size = `${truth.width}x${truth.height}`;
    throw new InputError(`${name} is the flow of ${size} pels, the frames are ${estimated.width}x${estimated.height}`);
  }
  const errors = new Float64Array(truth.u.length);
  let pels = 0;
  let outliers = 0;
  for (let pel = 0; pel < errors.length; pel++) {
    const trueU = truth.u[pel]!;
    const trueV = truth.v[pel]!;
    if (!isKnownFlow(trueU, trueV)) continue;
    const du = estimated.u[pel]! - trueU;
    const dv = estimated.v[pel]! - trueV;
    const error = Math.sqrt(du * du + dv * dv);
    const length = Math.sqrt(trueU * trueU + trueV * trueV);
    errors[pels++] = error;
    if (error > OUTLIER_PELS && error > OUTLIER_SHARE * length) outliers++;
  }
  if (pels === 0) throw new InputError(`${name} knows the motion of no pel`);
  const sorted = errors.subarray(0, pels).sort();
  const shareAbove = (limit: number): number => sorted.filter(error => error > limit).length / pels;
  return {
    mean: sorted.reduce((sum, error) => sum + error, 0) / pels,
    median: (sorted[(pels - 1) >> 1]! + sorted[pels >> 1]!) / 2,
    above1: shareAbove(1),
    above3: shareAbove(3),
    flAll: outliers / pels,
    pels,
  };
}
