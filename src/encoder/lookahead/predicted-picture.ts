// A planned picture together with the lookahead's prediction of it.
import type { PlannedPicture } from '../gop/gop-plan.js';
import type { PicturePrediction } from './analysis/picture-analyst.js';
import { errorHistogram, type PictureErrors } from './error-histogram.js';
import type { SceneCosts } from './scene-costs.js';

export interface PredictedPicture {
  readonly plan: PlannedPicture;
  /** The prediction from the planned anchors; none for I pictures, and where there is no lookahead. */
  readonly prediction: PicturePrediction | undefined;
  /** Undefined where there is no lookahead. */
  readonly errors: PictureErrors | undefined;
}

/** Predicts a planned picture from its anchors; `costs` must still keep all of them. */
export async function predictPicture(plan: PlannedPicture, costs: SceneCosts | undefined): Promise<PredictedPicture> {
  const { displayNumber, forward, backward } = plan;
  if (!costs) return { plan, prediction: undefined, errors: undefined };
  const picture = costs.picture(displayNumber);
  if (forward === undefined)
    return {
      plan,
      prediction: undefined,
      errors: { counts: errorHistogram(undefined, picture.intra), noise: picture.flattest },
    };
  const future = backward === undefined ? undefined : costs.picture(backward);
  const prediction = await costs.predict(picture, costs.picture(forward), future);
  return {
    plan,
    prediction,
    errors: { counts: errorHistogram(prediction.sad, picture.intra), noise: prediction.noise },
  };
}
