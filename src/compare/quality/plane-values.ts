// One number for each plane of a picture, and one for all planes.
import { InputError } from '../../errors.js';
import type { Frame } from '../../picture/frame.js';

/** The largest value of a pel. */
export const MAX_PEL = 255;

/** One number for each plane, and `all` for the three planes together. */
export interface PlaneValues {
  readonly y: number;
  readonly u: number;
  readonly v: number;
  readonly all: number;
}

/** A plane of a frame. */
type PlaneName = 'y' | 'u' | 'v';

/** The values that a function gives for each of the four names. */
export function eachPlane(compute: (plane: keyof PlaneValues) => number): PlaneValues {
  return { y: compute('y'), u: compute('u'), v: compute('v'), all: compute('all') };
}

/** Measures each plane of two frames. `all` is the mean of the planes, weighted by their pels. Throws InputError. */
export function measurePlanes(a: Frame, b: Frame, measure: (plane: PlaneName) => number): PlaneValues {
  if (a.width !== b.width || a.height !== b.height) {
    throw new InputError(
      `frames of ${a.width}x${a.height} and ${b.width}x${b.height} cannot be compared: sizes differ`,
    );
  }
  const y = measure('y');
  const u = measure('u');
  const v = measure('v');
  const pels = a.y.length + a.u.length + a.v.length;
  return { y, u, v, all: (y * a.y.length + u * a.u.length + v * a.v.length) / pels };
}

/** The mean of values that are added one by one. */
export class PlaneMean {
  #count = 0;
  readonly #sums = { y: 0, u: 0, v: 0, all: 0 };

  add(values: PlaneValues): void {
    this.#count++;
    this.#sums.y += values.y;
    this.#sums.u += values.u;
    this.#sums.v += values.v;
    this.#sums.all += values.all;
  }

  get count(): number {
    return this.#count;
  }

  /** NaN before the first value. */
  mean(): PlaneValues {
    return eachPlane(plane => this.#sums[plane] / this.#count);
  }
}
