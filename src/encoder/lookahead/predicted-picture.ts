// A planned picture together with the lookahead's prediction of it.
import type { PlannedPicture } from '../gop/gop-plan.js';
import type { PicturePrediction } from './analysis/picture-analyst.js';
import type { SceneCosts } from './scene-costs.js';

export interface PredictedPicture {
  readonly plan: PlannedPicture;
  /** The prediction from the planned anchors; none for I pictures, and where there is no lookahead. */
  readonly prediction: PicturePrediction | undefined;
}

/** Predicts a planned picture from its anchors; `costs` must still keep all of them. */
export async function predictPicture(plan: PlannedPicture, costs: SceneCosts | undefined): Promise<PredictedPicture> {
  const { displayNumber, forward, backward } = plan;
  if (!costs || forward === undefined) return { plan, prediction: undefined };
  const future = backward === undefined ? undefined : costs.picture(backward);
  return { plan, prediction: await costs.predict(costs.picture(displayNumber), costs.picture(forward), future) };
}
