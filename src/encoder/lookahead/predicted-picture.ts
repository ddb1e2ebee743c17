// A planned picture together with the lookahead's prediction of it.
import type { PlannedPicture } from '../gop/gop-plan.js';
import type { PicturePrediction } from './analysis/picture-analyst.js';
import { errorHistogram, meanShift, type PictureErrors } from './error-histogram.js';
import type { SceneCosts } from './scene-costs.js';

/** A planned picture, its prediction, and its errors. */
export interface PredictedPicture {
  readonly plan: PlannedPicture;
  /** The prediction from the planned anchors; none for I pictures, and where there is no lookahead. */
  readonly prediction: PicturePrediction | undefined;
  /** Undefined where there is no lookahead or no rate control. */
  readonly errors: PictureErrors | undefined;
}

/**
 * Predicts a planned picture from its anchors; `costs` must still keep all of them. The errors are found where they are
 * wanted: rate control needs them.
 */
export async function predictPicture(
  plan: PlannedPicture,
  costs: SceneCosts | undefined,
  wantsErrors: boolean,
): Promise<PredictedPicture> {
  const { displayNumber, forward, backward } = plan;
  if (!costs) return { plan, prediction: undefined, errors: undefined };
  const picture = costs.picture(displayNumber);
  const errors = (sad: Uint16Array | undefined, noise: number, shift: number): PictureErrors | undefined =>
    wantsErrors ? { counts: errorHistogram(sad, picture.intra), noise, shift } : undefined;
  if (forward === undefined) return { plan, prediction: undefined, errors: errors(undefined, picture.flattest, 0) };
  const past = costs.picture(forward);
  const future = backward === undefined ? undefined : costs.picture(backward);
  const prediction = await costs.predict(picture, past, future);
  const means = [past, ...(future ? [future] : [])].map(({ mean }) => mean);
  return { plan, prediction, errors: errors(prediction.sad, prediction.noise, meanShift(picture.mean, means)) };
}
