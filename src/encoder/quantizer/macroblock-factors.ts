import type { PendingPicture } from '../gop/picture-queue.js';
import type { PictureJob } from '../picture/picture-job.js';
import type { PassPicture } from '../rate-control/pass-statistics.js';
import type { EncoderSettings } from '../settings/resolve-options.js';
import { activityFactors } from './adaptive-quantization.js';
import { scaleOfQuality } from './constant-quality.js';
import { productOfFactors } from './macroblock-scales.js';

/** What P pictures are taken to have before any is coded at a bit rate. */
const FIRST_SCALE = 6;
/** Below this, P pictures have about the finest scale. */
const NEARLY_FINEST = 1.1;

/** About the quantizer_scale that P pictures will have, before any is coded. */
export function initialScaleGuess({ q, quality, rate }: EncoderSettings): number {
  if (rate) return FIRST_SCALE;
  return quality === undefined ? q : scaleOfQuality(quality);
}

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
  const { quality, rate, aq } = options;
  const last = rate && coded.findLast(({ type }) => type !== 'B');
  const scale = last?.quantizerScale ?? initialScaleGuess(options);
  // A rate that takes about the finest scale takes it everywhere.
  const weights = rate && scale < NEARLY_FINEST ? undefined : scaleFactors?.(scale);
  const activity = aq === 0 ? undefined : activityFactors(picture, aq);
  const mayChangeScales = rate !== undefined || quality !== undefined;
  return mayChangeScales || plan.type === 'B'
    ? { scaleFactors: productOfFactors(weights, activity), mayChangeScales }
    : { scaleFactors: activity, lambdaFactors: weights };
}
