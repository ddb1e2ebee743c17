// The errors of pictures that are planned by a fixed pattern, found from the motion that the coder asks for anyway.
import type { MotionField } from '../../../motion/estimator.js';
import type { Picture } from '../../../picture/picture.js';
import type { EncoderSettings } from '../../settings/resolve-options.js';
import { errorHistogram, type PictureErrors } from '../error-histogram.js';
import { knownFields, PictureAnalyst } from './picture-analyst.js';
import { SourceCosts, type SourcePlane } from './source-costs.js';

/** The motion of a picture from another one. */
export interface PictureMotion {
  readonly field: MotionField;
  readonly reference: Picture;
}

/** A picture, and one that it is predicted from. */
const PICTURES = 2;

/** Finds the errors that rate control looks at, where no lookahead does. */
export class PatternErrors {
  readonly #source: SourceCosts;
  readonly #analyst: PictureAnalyst;

  private constructor(source: SourceCosts) {
    this.#source = source;
    this.#analyst = new PictureAnalyst(source);
  }

  /** Rejects with UnsupportedError where its kernels cannot run. */
  static async create(settings: EncoderSettings): Promise<PatternErrors> {
    const { grid, kernels } = settings;
    return new PatternErrors(await SourceCosts.create(grid, PICTURES, kernels, knownFields(settings)));
  }

  /** The errors of a picture whose macroblocks are predicted by the best of these motions; without any, as intra. */
  of(picture: Picture, motions: readonly PictureMotion[]): PictureErrors {
    const analyst = this.#analyst;
    return this.#with(picture, plane => {
      const current = { plane, ...analyst.intraCosts(plane) };
      const sads = motions.map(({ field, reference }) =>
        this.#with(reference, from => analyst.bestMotion(current, () => from, field).sad),
      );
      if (sads.length === 0) return { counts: errorHistogram(undefined, current.intra), noise: current.flattest };
      const sad = sads.reduce((least, other) => least.map((value, address) => Math.min(value, other[address]!)));
      return { counts: errorHistogram(sad, current.intra), noise: analyst.fromOne(current, { sad }).noise };
    });
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
