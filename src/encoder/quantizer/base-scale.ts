// The base scale, which is the quantizer_scale of P pictures, by the rate mode.
import type { PictureType } from '../../bitstream/picture-type.js';
import type { ConstantMode, RateMode } from '../settings/rate-mode.js';
import { scaleOfQuality } from './constant-quality.js';
import { pictureQuantizerScale, pictureScale } from './picture-scale.js';

/** What P pictures are taken to have before any is coded at a bit rate. */
const FIRST_SCALE = 6;

/** About the quantizer_scale that P pictures will have, before any is coded. */
export function initialScaleGuess(mode: RateMode): number {
  return mode.kind === 'bit-rate' ? FIRST_SCALE : constantBaseScale(mode);
}

/** The scale of a picture of a type without rate control; whole at a constant quantizer_scale. */
export function constantPictureScale(type: PictureType, mode: ConstantMode): number {
  const scaleOfType = mode.kind === 'constant-scale' ? pictureQuantizerScale : pictureScale;
  return scaleOfType(type, constantBaseScale(mode));
}

function constantBaseScale(mode: ConstantMode): number {
  return mode.kind === 'constant-scale' ? mode.quantizerScale : scaleOfQuality(mode.quality);
}
