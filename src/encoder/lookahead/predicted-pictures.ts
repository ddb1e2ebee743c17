import type { PlannedPicture } from '../gop/gop-plan.js';
import type { BlockPrediction, LookaheadPicture, SceneCosts } from './scene-costs.js';

/** A planned picture, with how the lookahead predicts it. */
export interface PredictedPicture {
  readonly plan: PlannedPicture;
  /** How each of the lookahead's blocks is predicted best; none for I pictures, and where there is no lookahead. */
  readonly prediction: BlockPrediction | undefined;
}

/** Has planned pictures predicted from their anchors while the lookahead keeps both. */
export class PredictedPictures {
  readonly #costs: SceneCosts;
  /** Pictures that are analysed and not yet planned, and the anchors that they may need. */
  readonly #pictures = new Map<number, LookaheadPicture>();
  #newestAnchor = 0;

  constructor(costs: SceneCosts) {
    this.#costs = costs;
  }

  /** Takes a picture of the lookahead; its plan follows. */
  analysed(picture: LookaheadPicture): void {
    this.#pictures.set(picture.displayNumber, picture);
  }

  /** Predicts the next picture in coded order. */
  predict(plan: PlannedPicture): PredictedPicture {
    const { displayNumber, type, forward, backward } = plan;
    const picture = this.#pictures.get(displayNumber)!;
    const past = forward === undefined ? undefined : this.#pictures.get(forward)!;
    const future = backward === undefined ? undefined : this.#pictures.get(backward)!;
    const prediction = past && this.#costs.prediction(picture, past, future);
    if (type !== 'B') this.#forgetOlderThan(displayNumber);
    return { plan, prediction };
  }

  /** What comes later is predicted from this anchor, the one before, or what follows them. */
  #forgetOlderThan(anchor: number): void {
    for (const number of this.#pictures.keys()) if (number < this.#newestAnchor) this.#pictures.delete(number);
    this.#newestAnchor = anchor;
  }
}
