// The pictures that are planned and wait for the coder, in coded order.

import type { MotionField } from '../motion/estimator.js';
import type { SourcePictures } from './gop/source-pictures.js';
import type { ForecastPicture } from './lookahead/picture-planner.js';
import { searchedAnchors } from './motion/anchor-motion.js';
import type { MotionPipeline, RequestedField } from './motion/motion-pipeline.js';
import type { FactorSource } from './quantizer/macroblock-factors.js';
import type { EncoderSettings } from './settings/resolve-options.js';

/** The motion of a picture from its past and its future anchor. */
export interface AnchorFields {
  readonly forward: RequestedField | undefined;
  readonly backward: RequestedField | undefined;
}

/** A picture that waits for the coder. */
export interface PendingPicture extends FactorSource {
  /** The fields asked of the estimator; none where motion is searched on reconstructed pictures. */
  readonly fields: AnchorFields;
}

/** Queues planned pictures in coded order. */
export class PictureQueue {
  readonly #options: EncoderSettings;
  readonly #sources: SourcePictures;
  /** The coder takes the first. */
  readonly pending: PendingPicture[] = [];

  constructor(options: EncoderSettings, sources: SourcePictures) {
    this.#options = options;
    this.#sources = sources;
  }

  /** How many pictures have been coded. */
  get codedCount(): number {
    return this.#sources.codedCount;
  }

  /**
   * Queues pictures that come in coded order. Motion that is searched on source pictures is that of the plan, or asked
   * for at once where the plan did not need it.
   */
  plan(motion: MotionPipeline, planned: readonly ForecastPicture[]): void {
    const { motionReference, tools } = this.#options;
    for (const { plan, fields: ofPlan, scaleFactors } of planned) {
      const picture = this.#sources.get(plan.displayNumber);
      const search = (anchor: number | undefined) =>
        anchor === undefined ? undefined : motion.request(picture, this.#sources.get(anchor));
      const { forward, backward } = searchedAnchors(plan, tools.bPictureMotion);
      const fields =
        motionReference === 'reconstructed'
          ? { forward: undefined, backward: undefined }
          : ofPlan
            ? { forward: known(ofPlan.forward), backward: known(ofPlan.backward) }
            : { forward: search(forward), backward: search(backward) };
      this.pending.push({ picture, plan, scaleFactors, fields });
    }
  }
}

function known(field: MotionField | undefined): RequestedField | undefined {
  return field && { take: async () => field };
}
