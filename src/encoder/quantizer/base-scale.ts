// The base scale, which is the quantizer_scale of P pictures, by the rate mode.
import type { PictureType } from '../../bitstream/picture-type.js';
import type { ConstantMode, RateMode } from '../settings/rate-mode.js';
import { scaleOfQuality } from './constant-quality.js';
import { CONSTANT_B_PICTURE_SCALE, meanPictureScale, wholePictureScale } from './picture-scale.js';

/** The base scale assumed at a bit rate before any picture is coded; not measured. */
const BIT_RATE_GUESS = 6;

/** The base scale as far as it is known before any picture is coded. */
export function initialScaleGuess(mode: RateMode): number {
  return mode.kind === 'bit-rate' ? BIT_RATE_GUESS : constantBaseScale(mode);
}

/** What the picture scale depends on without rate control: the type, and whether macroblocks have weights. */
interface ScaledBy {
  readonly plan: { readonly type: PictureType };
  readonly weightFactors?: unknown;
}

/** The picture scale of a picture without rate control; whole in mode 'constant-scale'. */
export function constantPictureScale({ plan, weightFactors }: ScaledBy, mode: ConstantMode): number {
  const pictureScale = mode.kind === 'constant-scale' ? wholePictureScale : meanPictureScale;
  return pictureScale(plan.type, constantBaseScale(mode), weightFactors ? undefined : CONSTANT_B_PICTURE_SCALE);
}

/** The base scale of all pictures; whole in mode 'constant-scale'. */
export function constantBaseScale(mode: ConstantMode): number {
  return mode.kind === 'constant-scale' ? mode.quantizerScale : scaleOfQuality(mode.quality);
}
