import { InternalError } from '../../errors.js';
import type { Picture } from '../../picture/picture.js';
import type { WeightedPicture } from '../lookahead/macroblock-tree.js';
import { vectorHints } from '../lookahead/vector-hints.js';
import { type SearchedFields, searchedAnchors } from '../motion/anchor-motion.js';
import type { MotionPipeline, RequestedField } from '../motion/motion-pipeline.js';
import type { EncoderSettings } from '../settings/resolve-options.js';
import type { PlannedPicture } from './gop-plan.js';

/** The motion of a picture from its past and its future anchor. */
export interface AnchorFields {
  readonly forward: RequestedField | undefined;
  readonly backward: RequestedField | undefined;
}

/** A picture between `add` and the coder. */
export interface PendingPicture {
  readonly picture: Picture;
  readonly plan: PlannedPicture;
  readonly scaleFactors: WeightedPicture['scaleFactors'];
  /** What is searched ahead of the coder ... */
  readonly fields: AnchorFields;
  /** ... and what the lookahead knows. */
  readonly hints: SearchedFields;
}

/** The pictures between `add` and the coder: kept until they are planned, then queued in coded order. */
export class PictureQueue {
  readonly #options: EncoderSettings;
  /** Planned pictures in coded order; the coder takes the first. */
  readonly pending: PendingPicture[] = [];
  /** Source pictures that are still to be planned or searched from, by display number. */
  readonly #sources = new Map<number, Picture>();

  #newestAnchor = 0;

  constructor(options: EncoderSettings) {
    this.#options = options;
  }

  /** Takes a picture; its id is its display number. */
  add(picture: Picture): void {
    this.#sources.set(picture.id, picture);
  }

  /** Queues pictures in coded order, their motion asked for at once where it is searched on source pictures. */
  plan(motion: MotionPipeline, planned: readonly WeightedPicture[]): void {
    const { motionReference, tools, grid, hintReach } = this.#options;
    for (const { plan, prediction, scaleFactors } of planned) {
      const picture = this.#source(plan.displayNumber);
      const search = (anchor: number | undefined) =>
        anchor === undefined ? undefined : motion.request(picture, this.#source(anchor));
      const hints = vectorHints(tools.lookaheadVectors ? prediction : undefined, grid, hintReach);
      const { forward, backward } = searchedAnchors(plan, tools.bPictureMotion, hints);
      const fields =
        motionReference === 'source'
          ? { forward: search(forward), backward: search(backward) }
          : { forward: undefined, backward: undefined };
      this.pending.push({ picture, plan, scaleFactors, fields, hints });
      if (plan.type !== 'B') this.#anchorPlanned(plan.displayNumber);
    }
  }

  /** What comes later is searched from the two newest anchors or from what follows them. */
  #anchorPlanned(displayNumber: number): void {
    for (const number of this.#sources.keys()) if (number < this.#newestAnchor) this.#sources.delete(number);
    this.#newestAnchor = displayNumber;
  }

  #source(displayNumber: number): Picture {
    const picture = this.#sources.get(displayNumber);
    if (!picture) throw new InternalError(`picture ${displayNumber} is no longer there`);
    return picture;
  }
}
