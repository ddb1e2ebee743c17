// What the rate controller expects in a second pass.
import { MAX_QUANTIZER_SCALE } from '../../../bitstream/limits.js';
import type { PictureType } from '../../../bitstream/picture-type.js';
import { InputError } from '../../../errors.js';
import { meanPictureScale } from '../../quantizer/picture-scale.js';
import type { PassPicture, PassStatistics } from '../pass-statistics.js';
import { type BitEstimate, estimatedBits } from './bit-estimate.js';
import { type BitModel, TypeSums, type UpcomingPicture } from './bit-model.js';
import { bitsAt, complexityOf } from './picture-complexity.js';
import { bitsAtBaseScale, type Forecast } from './rate-forecast.js';

/** Pictures that are forecast one by one: those that share the decoder's buffer with the next one; not measured. */
const MAX_LISTED_PICTURES = 64;
/** A correction is about the current scene, so it is applied to this many pictures only; not measured. */
const CORRECTED_PICTURES = 12;
/**
 * Until more is known, so large a part of the whole is taken to be as in the first pass. Without this part, chunks of
 * 40 pictures came to scales that differed by a factor of 2.1.
 */
const PRIOR_PART = 0.25;
/** Weight of the newest picture in the running mean of a correction; not measured. */
const NEWEST_WEIGHT = 0.5;

/**
 * Forecasts all pictures that are left: their complexities in the first pass, corrected by those found in this one. A
 * first pass with quicker tools takes more bits for each picture, by about the same factor.
 */
export class FirstPassForecast {
  readonly #firstPass: PassStatistics;
  readonly #model: BitModel;
  /** Complexity of all pictures from the next one on, summed by type. */
  readonly #remaining = new Map<PictureType, number>();
  /** Ratio of this pass's complexities to the first pass's, by type. */
  readonly #correction = new Map<PictureType, number>();
  /** Bits that pictures took in this pass, and what was to be expected of them by the first one; see PRIOR_PART. */
  #foundBits: number;
  #expectedBits: number;
  /** By index in coded order, see `#bitsPerEstimate`; 0 where it is not known yet. */
  readonly #ratios: Float64Array;
  #next = 0;

  /** `model` estimates the bits of pictures. */
  constructor(firstPass: PassStatistics, model: BitModel) {
    this.#firstPass = firstPass;
    this.#model = model;
    this.#ratios = new Float64Array(firstPass.length);
    this.#foundBits = PRIOR_PART * firstPass.reduce((sum, { bits }) => sum + bits, 0);
    this.#expectedBits = this.#foundBits;
    for (const picture of firstPass) this.#addRemaining(picture, 1);
  }

  /**
   * The forecast for the next picture, the first of `upcoming`. Throws InputError where the first pass had another one,
   * or none.
   */
  forecast(upcoming: readonly UpcomingPicture[]): Forecast {
    this.#check(upcoming[0]!);
    const meanCorrection = this.#foundBits / this.#expectedBits;
    // The complexity of the pictures that are left and not among `upcoming`.
    const others = new Map(this.#remaining);
    const listed = this.#firstPass.slice(this.#next, this.#next + MAX_LISTED_PICTURES);
    const sums = new TypeSums();
    const pictures = listed.map((found, ahead) => {
      const { type } = found;
      const picture = upcoming[ahead];
      if (!picture) {
        const complexity = meanCorrection * complexityIn(found);
        return { type, bitsAt: (scale: number) => bitsAt(complexity, scale) };
      }
      others.set(type, others.get(type)! - complexityIn(found));
      const correction = ahead < CORRECTED_PICTURES ? this.correction(type) : meanCorrection;
      const estimate = this.#model.estimate(picture);
      const weight = correction * this.#bitsPerEstimate(this.#next + ahead, estimate);
      sums.add(type, { estimate, weight });
      const estimated = estimatedBits(estimate);
      return { type, bitsAt: (scale: number) => weight * estimated(scale) };
    });
    const knownBits = sums.bits();
    const sharedBits = (baseScale: number) =>
      knownBits(type => meanPictureScale(type, baseScale)) + meanCorrection * bitsAtBaseScale(others, baseScale);
    const sharingPictures = this.#firstPass.length - this.#next;
    const reachesEnd = sharingPictures <= MAX_LISTED_PICTURES;
    const leastOtherBits = sharedBits(MAX_QUANTIZER_SCALE) - pictures[0]!.bitsAt(MAX_QUANTIZER_SCALE);
    return { pictures, sharingPictures, sharedBits, leastOtherBits, debtShare: 1, reachesEnd };
  }

  /** What complexities of a type are multiplied by: as those of this pass are to those of the first one. */
  correction(type: PictureType): number {
    return this.#correction.get(type) ?? 1;
  }

  /** How many pictures are left, the next one included. */
  get left(): number {
    return this.#firstPass.length - this.#next;
  }

  /** The picture that was forecast begins: the next one is forecast after it. */
  advance(): void {
    this.#addRemaining(this.#firstPass[this.#next++]!, -1);
  }

  /**
   * How many times the bits that are estimated of picture `index` the first pass took for it, at the scale that it had
   * there. As many times as many are expected at others.
   */
  #bitsPerEstimate(index: number, estimate: BitEstimate): number {
    const { bits, quantizerScale } = this.#firstPass[index]!;
    if (this.#ratios[index] === 0) this.#ratios[index] = bits / estimatedBits(estimate)(quantizerScale);
    return this.#ratios[index]!;
  }

  /** Takes note of what picture `index`, in coded order, took. */
  learn(index: number, picture: UpcomingPicture, bits: number, scale: number): void {
    const { type } = picture;
    const known = this.correction(type);
    const estimate = this.#model.estimate(picture);
    const expected = this.#bitsPerEstimate(index, estimate) * estimatedBits(estimate)(scale);
    this.#foundBits += bits;
    this.#expectedBits += expected;
    this.#correction.set(type, known + NEWEST_WEIGHT * (bits / expected - known));
  }

  #check({ type }: UpcomingPicture): void {
    const found = this.#firstPass[this.#next];
    if (found?.type === type) return;
    const then = found ? `a ${found.type} picture` : 'not there';
    const what = `picture ${this.#next} was ${then} in the first pass and is a ${type} picture now`;
    throw new InputError(`${what}: both passes need the same frames and options`);
  }

  #addRemaining(picture: PassPicture, sign: 1 | -1): void {
    const sum = (this.#remaining.get(picture.type) ?? 0) + sign * complexityIn(picture);
    this.#remaining.set(picture.type, Math.max(0, sum));
  }
}

function complexityIn({ bits, quantizerScale }: PassPicture): number {
  return complexityOf(bits, quantizerScale);
}
