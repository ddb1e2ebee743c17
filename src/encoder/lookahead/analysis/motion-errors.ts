// The errors of pictures that no lookahead analyses, by the motion that the coder needs anyway.
import type { MotionField } from '../../../motion/estimator.js';
import type { Picture } from '../../../picture/picture.js';
import type { EncoderSettings } from '../../settings/resolve-options.js';
import { errorHistogram, meanShift, type PictureErrors } from '../error-histogram.js';
import { knownFields, PictureAnalyst } from './picture-analyst.js';
import { SourceCosts, type SourcePlane } from './source-costs.js';

/** The motion of a picture from another one. */
export interface PictureMotion {
  readonly field: MotionField;
  readonly reference: Picture;
}

/** Pictures that are in memory at a time: one, and one that it is predicted from. */
const PICTURES = 2;

/** Finds the errors of pictures, which rate control looks at. */
export class MotionErrors {
  readonly #source: SourceCosts;
  readonly #analyst: PictureAnalyst;
  /** Means of all pels, by picture. */
  readonly #means = new WeakMap<Picture, number>();

  private constructor(source: SourceCosts) {
    this.#source = source;
    this.#analyst = new PictureAnalyst(source);
  }

  /** Rejects with UnsupportedError where its kernels cannot run. */
  static async create(settings: EncoderSettings): Promise<MotionErrors> {
    const { grid, kernels } = settings;
    return new MotionErrors(await SourceCosts.create(grid, PICTURES, kernels, knownFields(settings)));
  }

  /** The errors of a picture whose macroblocks are predicted by the best of these motions; without any, as intra. */
  of(picture: Picture, motions: readonly PictureMotion[]): PictureErrors {
    const analyst = this.#analyst;
    return this.#with(picture, plane => {
      const costs = analyst.intraCosts(plane);
      const { intra, flattest, mean } = costs;
      this.#means.set(picture, mean);
      if (motions.length === 0) return { counts: errorHistogram(undefined, intra), noise: flattest, shift: 0 };
      const sad = this.#leastSads(plane, motions);
      const shift = meanShift(
        mean,
        motions.map(({ reference }) => this.#meanOf(reference)),
      );
      return { counts: errorHistogram(sad, intra), noise: analyst.fromOne(costs, { sad }).noise, shift };
    });
  }

  #meanOf(picture: Picture): number {
    const known = this.#means.get(picture);
    if (known !== undefined) return known;
    const { mean } = this.#with(picture, plane => this.#analyst.intraCosts(plane));
    this.#means.set(picture, mean);
    return mean;
  }

  #leastSads(plane: SourcePlane, motions: readonly PictureMotion[]): Uint16Array {
    const sads = motions.map(({ field, reference }) =>
      this.#analyst.sadOf(plane, field, use => this.#with(reference, use)),
    );
    return sads.reduce((least, other) => least.map((value, address) => Math.min(value, other[address]!)));
  }

  /** What `use` finds of a picture in kernel memory. */
  #with<Found>({ y }: Picture, use: (plane: SourcePlane) => Found): Found {
    const plane = this.#source.take();
    try {
      this.#source.fill(plane, y);
      return use(plane);
    } finally {
      this.#source.release(plane);
    }
  }
}
