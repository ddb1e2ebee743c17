// Compares a motion field with the true optical flow.
import { InputError } from '../../errors.js';
import { type Flow, isKnownFlow } from '../../media/maps/flo-format.js';
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
  /** Number of compared pels: those whose true motion is known. */
  readonly pels: number;
}

/** The errors of `estimated`. Throws an InputError, with `name` for the truth, if no pel can be compared. */
export function endpointError(estimated: Flow, truth: Flow, name: string): EndpointError {
  if (estimated.width !== truth.width || estimated.height !== truth.height) {
    const size = `${truth.width}x${truth.height}`;
    throw new InputError(`${name} is the flow of ${size} pels, the frames are ${estimated.width}x${estimated.height}`);
  }
  const errors = new Float64Array(truth.u.length);
  let pels = 0;
  for (let pel = 0; pel < errors.length; pel++) {
    if (!isKnownFlow(truth.u[pel]!, truth.v[pel]!)) continue;
    const du = estimated.u[pel]! - truth.u[pel]!;
    const dv = estimated.v[pel]! - truth.v[pel]!;
    errors[pels++] = Math.sqrt(du * du + dv * dv);
  }
  if (pels === 0) throw new InputError(`${name} knows the motion of no pel`);
  const sorted = errors.subarray(0, pels).sort();
  const shareAbove = (limit: number): number => sorted.filter(error => error > limit).length / pels;
  return {
    mean: sorted.reduce((sum, error) => sum + error, 0) / pels,
    median: (sorted[(pels - 1) >> 1]! + sorted[pels >> 1]!) / 2,
    above1: shareAbove(1),
    above3: shareAbove(3),
    pels,
  };
}
