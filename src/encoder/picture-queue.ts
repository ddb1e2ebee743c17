// The pictures that are planned and wait for the coder, in coded order.

import type { PlannedPicture } from './gop/gop-plan.js';
import type { SourcePictures } from './gop/source-pictures.js';
import type { PictureErrors } from './lookahead/error-histogram.js';
import type { ForecastPicture } from './lookahead/picture-planner.js';
import { searchedAnchors } from './motion/anchor-motion.js';
import { bestVectors } from './motion/best-vectors.js';
import type { MotionPipeline, RequestedField, SearchStart } from './motion/motion-pipeline.js';
import type { ProposedField } from './motion/vector-proposals.js';
import type { FactorSource } from './quantizer/macroblock-factors.js';
import type { EncoderSettings } from './settings/resolve-options.js';

/**
 * How many P pictures back a search looks for its start: so many searches can go on side by side. With two, as with
 * three and four, three clips had the same bits within 0.03 %; with 16 threads these searches kept the coders waiting.
 */
const START_DISTANCE = 4;

/** The motion of a picture from its past and its future anchor. */
export interface AnchorFields {
  readonly forward: RequestedField | undefined;
  readonly backward: RequestedField | undefined;
}

/** A picture that waits for the coder. */
export interface PendingPicture extends FactorSource {
  /** The fields asked of the estimator; none where motion is searched on reconstructed pictures. */
  readonly fields: AnchorFields;
  /** The errors of its prediction; undefined where there is no lookahead. */
  readonly errors: PictureErrors | undefined;
}

/** Queues planned pictures in coded order. */
export class PictureQueue {
  readonly #options: EncoderSettings;
  readonly #sources: SourcePictures;
  /** The last P pictures whose motion was asked for here. */
  readonly #lastSteps: { readonly plan: PlannedPicture; readonly field: RequestedField }[] = [];
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
    for (const { plan, fields: ofPlan, errors, weightFactors, askWeightFactors } of planned) {
      const picture = this.#sources.get(plan.displayNumber);
      const search = (anchor: number | undefined) =>
        anchor === undefined ? undefined : motion.request(picture, this.#sources.get(anchor), this.#startOf(plan));
      const { forward, backward } = searchedAnchors(plan, tools.bPictureMotion);
      const fields =
        motionReference === 'reconstructed'
          ? { forward: undefined, backward: undefined }
          : ofPlan
            ? { forward: known(ofPlan.forward), backward: known(ofPlan.backward) }
            : { forward: search(forward), backward: search(backward) };
      this.pending.push({ picture, plan, weightFactors, askWeightFactors, fields, errors });
      if (plan.type === 'P' && fields.forward) this.#lastSteps.push({ plan, field: fields.forward });
      if (this.#lastSteps.length > START_DISTANCE) this.#lastSteps.shift();
    }
  }

  /** Where the search of a P picture starts: at the motion some P pictures before, scaled to its distance. */
  #startOf(plan: PlannedPicture): SearchStart | undefined {
    const [before] = this.#lastSteps;
    if (!this.#options.tools.motionFromBefore || plan.type !== 'P') return undefined;
    if (this.#lastSteps.length < START_DISTANCE || before === undefined) return undefined;
    return async () => bestVectors(await before.field.find(), distance(plan) / distance(before.plan));
  }
}

/** From a P picture to its anchor, in pictures. */
function distance({ displayNumber, forward }: PlannedPicture): number {
  return displayNumber - forward!;
}

function known(field: ProposedField | undefined): RequestedField | undefined {
  return field && { take: async () => field, find: async () => field };
}
