// What the motion search of a picture says of the bits that it will need.
import type { MotionField } from '../../motion/estimator.js';
import type { Picture } from '../../picture/picture.js';
import { knownFields, PictureAnalyst } from '../lookahead/analysis/picture-analyst.js';
import { SourceCosts, type SourcePlane } from '../lookahead/analysis/source-costs.js';
import { errorHistogram, type PictureErrors } from '../lookahead/error-histogram.js';
import type { EncoderSettings } from '../settings/resolve-options.js';

/** Finds the errors of pictures in the order in which they are coded. */
export class LiveAnalysis {
  readonly #source: SourceCosts;
  readonly #analyst: PictureAnalyst;
  /** The picture that is analysed, and the one before it. */
  #current: SourcePlane;
  #before: SourcePlane;

  private constructor(source: SourceCosts) {
    this.#source = source;
    this.#analyst = new PictureAnalyst(source);
    this.#current = source.take();
    this.#before = source.take();
  }

  static async create(settings: EncoderSettings): Promise<LiveAnalysis> {
    return new LiveAnalysis(await SourceCosts.create(settings.grid, 2, settings.kernels, knownFields(settings)));
  }

  /** The errors of the next picture, predicted by `field` from the one before, or without a prediction. */
  errors(picture: Picture, field: MotionField | undefined): PictureErrors {
    [this.#before, this.#current] = [this.#current, this.#before];
    this.#source.fill(this.#current, picture.y);
    const current = { plane: this.#current, ...this.#analyst.intraCosts(this.#current) };
    if (!field) return { counts: errorHistogram(undefined, current.intra), noise: current.flattest };
    const motion = this.#analyst.bestMotion(current, () => this.#before, field);
    const { sad, noise } = this.#analyst.fromOne(current, motion);
    return { counts: errorHistogram(sad, current.intra), noise };
  }
}
