import type { PendingPicture } from '../gop/picture-queue.js';
import type { PictureJob } from '../picture/picture-job.js';
import type { PassPicture } from '../rate-control/pass-statistics.js';
import type { EncoderSettings } from '../settings/resolve-options.js';
import { activityFactors } from './adaptive-quantization.js';
import { initialScaleGuess } from './base-scale.js';
import { productOfFactors } from './macroblock-scales.js';

/** Below this, P pictures have about the finest scale. */
const NEARLY_FINEST = 1.1;

/**
 * What the macroblocks of a picture multiply its scale and lambda by: by what depends on them, and by their activity. A
 * constant quantizer_scale is just that in I and P pictures: there lambda alone follows what depends on a macroblock. `coded`: the
 * pictures before, in coded order.
 */
export function macroblockFactors(
  options: EncoderSettings,
  { picture, plan, scaleFactors }: PendingPicture,
  coded: readonly PassPicture[],
): Pick<PictureJob, 'scaleFactors' | 'lambdaFactors' | 'mayChangeScales'> {
  const { rateMode, aq } = options;
  const isBitRate = rateMode.kind === 'bit-rate';
  const last = isBitRate ? coded.findLast(({ type }) => type !== 'B') : undefined;
  const scale = last?.quantizerScale ?? initialScaleGuess(rateMode);
  // A rate that takes about the finest scale takes it everywhere.
  const weights = isBitRate && scale < NEARLY_FINEST ? undefined : scaleFactors?.(scale);
  const activity = aq === 0 ? undefined : activityFactors(picture, aq);
  const mayChangeScales = rateMode.kind !== 'constant-scale';
  return mayChangeScales || plan.type === 'B'
    ? { scaleFactors: productOfFactors(weights, activity), mayChangeScales }
    : { scaleFactors: activity, lambdaFactors: weights };
}
