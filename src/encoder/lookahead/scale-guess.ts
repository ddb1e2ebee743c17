// Guesses the base scale of an encode before its pictures are coded: what pictures cost depends on it.
import type { PictureType } from '../../bitstream/picture-type.js';
import { initialScaleGuess } from '../quantizer/base-scale.js';
import { meanPictureScale } from '../quantizer/picture-scale.js';
import { BitEstimate, estimatedBits } from '../rate-control/forecast/bit-estimate.js';
import { baseScaleFor } from '../rate-control/forecast/rate-forecast.js';
import type { EncoderSettings } from '../settings/resolve-options.js';
import type { IntraCosts, PicturePrediction } from './analysis/picture-analyst.js';
import { ERROR_BINS, errorHistogram, type PictureErrors } from './error-histogram.js';

/** Least weight of the newest pictures in the running mean of histograms; not measured. */
const MIN_WEIGHT = 0.05;

type GuessSettings = Pick<EncoderSettings, 'rateMode' | 'pattern' | 'sliceRows'>;

/** The base scale: known in the constant modes; at a bit rate, that at which pictures like those so far keep to it. */
export class ScaleGuess {
  readonly #settings: GuessSettings;
  readonly #intra = { counts: new Float64Array(ERROR_BINS), noise: 0, shift: 0 };
  readonly #predicted = { counts: new Float64Array(ERROR_BINS), noise: 0, shift: 0 };
  #seen = 0;
  #baseScale: number;

  constructor(settings: GuessSettings) {
    this.#settings = settings;
    this.#baseScale = initialScaleGuess(settings.rateMode);
  }

  get baseScale(): number {
    return this.#baseScale;
  }

  /** Takes note of a picture and its prediction from the anchor before. */
  add({ intra, flattest }: IntraCosts, { sad, noise }: PicturePrediction): void {
    const { rateMode } = this.#settings;
    if (rateMode.kind !== 'bit-rate') return;
    const weight = Math.max(MIN_WEIGHT, 1 / ++this.#seen);
    addTo(this.#intra, { counts: errorHistogram(undefined, intra), noise: flattest, shift: 0 }, weight);
    addTo(this.#predicted, { counts: errorHistogram(sad, intra), noise, shift: 0 }, weight);
    const { gop } = this.#settings.pattern;
    this.#baseScale = Math.max(1, baseScaleFor(this.#groupBits(), gop * rateMode.pictureBits));
  }

  /** Bits, by the base scale, of a group of pictures that are like the mean of those so far. */
  #groupBits(): (baseScale: number) => number {
    const { pattern, sliceRows } = this.#settings;
    const { gop, bFrames } = pattern;
    const slices = sliceRows.length;
    const anchors = (gop - 1) / (bFrames + 1);
    const [i, p, b] = [
      bitsOf('I', this.#intra, slices),
      bitsOf('P', this.#predicted, slices),
      bitsOf('B', this.#predicted, slices),
    ];
    return baseScale =>
      i(baseScale) + anchors * p(baseScale) + (gop - 1 - anchors) * b(meanPictureScale('B', baseScale));
  }
}

function bitsOf(type: PictureType, errors: PictureErrors, slices: number): (scale: number) => number {
  return estimatedBits(BitEstimate.of(type, errors, slices));
}

interface MeanErrors extends PictureErrors {
  readonly counts: Float64Array;
  noise: number;
}

function addTo(mean: MeanErrors, { counts, noise }: PictureErrors, weight: number): void {
  for (let bin = 0; bin < ERROR_BINS; bin++) mean.counts[bin]! += weight * (counts[bin]! - mean.counts[bin]!);
  mean.noise += weight * (noise - mean.noise);
}
