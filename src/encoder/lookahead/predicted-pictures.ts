import type { PlannedPicture } from '../gop-plan.js';
import type { BlockPrediction, LookaheadPicture, SceneCosts } from './scene-costs.js';

/** A planned picture, with how the lookahead predicts it. */
export interface PredictedPicture {
  readonly plan: PlannedPicture;
  /** What each of the lookahead's blocks costs without a prediction. */
  readonly intra: Uint16Array;
  /** How each is predicted best; none for I pictures. */
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
  async predict(plan: PlannedPicture): Promise<PredictedPicture> {
    const { displayNumber, type, forward, backward } = plan;
    const picture = this.#pictures.get(displayNumber)!;
    const past = forward === undefined ? undefined : this.#pictures.get(forward)!;
    const future = backward === undefined ? undefined : this.#pictures.get(backward)!;
    const prediction = past && (await this.#costs.prediction(picture, past, future));
    if (type !== 'B') this.#forgetOlderThan(displayNumber);
    return { plan, intra: picture.intra, prediction };
  }

  /** What comes later is predicted from this anchor, the one before, or what follows them. */
  #forgetOlderThan(anchor: number): void {
    for (const number of this.#pictures.keys()) if (number < this.#newestAnchor) this.#pictures.delete(number);
    this.#newestAnchor = anchor;
  }
}
