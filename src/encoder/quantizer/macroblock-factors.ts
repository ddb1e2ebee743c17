// Decides how much finer or coarser each macroblock is quantized than its picture.
import type { Picture } from '../../picture/picture.js';
import type { PlannedPicture } from '../gop/gop-plan.js';
import type { EncoderSettings } from '../settings/resolve-options.js';
import { activityFactors } from './adaptive-quantization.js';
import { initialScaleGuess } from './base-scale.js';
import { clampScale, wholePictureScale } from './picture-scale.js';

/**
 * How the scales and lambdas of a picture's macroblocks differ from those of the whole picture. Arrays hold one factor
 * per macroblock, in raster order; undefined: all are 1.
 *
 *     wanted scale   = picture scale (at a bit rate: row scale) * scale factor      made whole by wholeScale
 *     scale of lambda = picture scale * scale factor * lambda factor                see lambdaForSquaredError
 */
export interface MacroblockFactors {
  readonly scaleFactors?: Float64Array | undefined;
  readonly lambdaFactors?: Float64Array | undefined;
  /** Whether the coder may choose another scale than the wanted one by rate and distortion; default false. */
  readonly mayChangeScales?: boolean | undefined;
}

/** A planned picture and the scale factors of its weights, if it has any. */
export interface FactorSource {
  readonly picture: Picture;
  readonly plan: PlannedPicture;
  /** To be called in coded order, once a picture, with the base scale; undefined: all factors are 1. */
  readonly weightFactors: ((baseScale: number) => Float64Array | Promise<Float64Array>) | undefined;
  /**
   * Where another thread makes the factors: asks for them ahead, at the base scale that `weightFactors` will probably
   * be given. To be called once the factors of all pictures before are there.
   */
  readonly askWeightFactors?: ((baseScale: number) => void) | undefined;
}

/**
 * The factors of a picture: those of its weights times those of its activity. At a constant quantizer_scale, I and P
 * pictures keep that scale, and the weights change lambda alone. B pictures have the nearest whole scales then, and the
 * rest of their factors changes lambda. `lastAnchorScale`: the picture scale of the I or P picture that was coded last,
 * if there is one.
 */
export async function macroblockFactors(
  { rateMode, aq }: Pick<EncoderSettings, 'rateMode' | 'aq'>,
  { picture, plan, weightFactors }: FactorSource,
  lastAnchorScale: number | undefined,
): Promise<MacroblockFactors> {
  const isBitRate = rateMode.kind === 'bit-rate';
  const baseScale = (isBitRate ? lastAnchorScale : undefined) ?? initialScaleGuess(rateMode);
  const byWeight = await weightFactors?.(baseScale);
  const byActivity = aq === 0 ? undefined : activityFactors(picture, aq);
  if (rateMode.kind !== 'constant-scale') {
    return { scaleFactors: productOfFactors(byWeight, byActivity), mayChangeScales: true };
  }
  if (plan.type !== 'B' || !byWeight) return { scaleFactors: byActivity, lambdaFactors: byWeight };
  const { whole, rest } = wholeFactors(byWeight, wholePictureScale('B', rateMode.quantizerScale));
  return { scaleFactors: productOfFactors(whole, byActivity), lambdaFactors: rest };
}

/** The nearest factors with which scales are whole, and the rest of the factors. */
function wholeFactors(
  factors: Float64Array,
  pictureScale: number,
): { readonly whole: Float64Array; readonly rest: Float64Array } {
  const whole = new Float64Array(factors.length);
  const rest = new Float64Array(factors.length);
  for (let address = 0; address < factors.length; address++) {
    const factor = factors[address]!;
    whole[address] = clampScale(Math.round(factor * pictureScale)) / pictureScale;
    rest[address] = factor / whole[address]!;
  }
  return { whole, rest };
}

function productOfFactors(one?: Float64Array, other?: Float64Array): Float64Array | undefined {
  if (!one || !other) return one ?? other;
  return one.map((factor, address) => factor * other[address]!);
}
