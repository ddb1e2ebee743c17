// The base scale, which is the quantizer_scale of P pictures, by the rate mode.
import type { PictureType } from '../../bitstream/picture-type.js';
import type { ConstantMode, RateMode } from '../settings/rate-mode.js';
import { scaleOfQuality } from './constant-quality.js';
import { meanPictureScale, wholePictureScale } from './picture-scale.js';

/** The base scale assumed at a bit rate before any picture is coded; not measured. */
const BIT_RATE_GUESS = 6;

/** The base scale as far as it is known before any picture is coded. */
export function initialScaleGuess(mode: RateMode): number {
  return mode.kind === 'bit-rate' ? BIT_RATE_GUESS : constantBaseScale(mode);
}

/** The picture scale of a picture of a type without rate control; whole in mode 'constant-scale'. */
export function constantPictureScale(type: PictureType, mode: ConstantMode): number {
  const pictureScale = mode.kind === 'constant-scale' ? wholePictureScale : meanPictureScale;
  return pictureScale(type, constantBaseScale(mode));
}

function constantBaseScale(mode: ConstantMode): number {
  return mode.kind === 'constant-scale' ? mode.quantizerScale : scaleOfQuality(mode.quality);
}
