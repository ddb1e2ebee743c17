// What the rate controller expects in a second pass.
import type { PictureType } from '../../bitstream/picture-type.js';
import { InputError } from '../../errors.js';
import type { PlannedPicture } from '../gop/gop-plan.js';
import type { PassPicture, PassStatistics } from './pass-statistics.js';
import { bitsAt, complexityOf } from './picture-complexity.js';
import { bitsAtBaseScale, type ExpectedPicture, type Forecast } from './rate-forecast.js';

/** Pictures that are forecast one by one: those that share the decoder's buffer with the next one; not measured. */
const MAX_LISTED_PICTURES = 64;
/** A correction is about the current scene, so it is applied to this many pictures only; not measured. */
const CORRECTED_PICTURES = 12;
/** Weight of the newest picture in the running mean of a correction; not measured. */
const NEWEST_WEIGHT = 0.5;

/** Forecasts all pictures that are left: their complexities in the first pass, corrected by those found in this one. */
export class FirstPassForecast {
  readonly #firstPass: PassStatistics;
  /** Complexity of all pictures from the next one on, summed by type. */
  readonly #remaining = new Map<PictureType, number>();
  /** Ratio of this pass's complexities to the first pass's, by type. */
  readonly #correction = new Map<PictureType, number>();
  #next = 0;

  constructor(firstPass: PassStatistics) {
    this.#firstPass = firstPass;
    for (const picture of firstPass) this.#addRemaining(picture, 1);
  }

  /** The forecast for the next picture. Throws InputError where the first pass had another one, or none. */
  forecast(next: PlannedPicture): Forecast {
    const found = this.#firstPass[this.#next];
    if (found?.type !== next.type) {
      const then = found ? `a ${found.type} picture` : 'not there';
      const what = `picture ${this.#next} was ${then} in the first pass and is a ${next.type} picture now`;
      throw new InputError(`${what}: both passes need the same frames and options`);
    }
    const sharedComplexity = new Map(this.#remaining);
    const listed = this.#firstPass.slice(this.#next, this.#next + MAX_LISTED_PICTURES);
    const pictures = listed.map((picture, ahead) => {
      const { type } = picture;
      const asFound = complexityIn(picture);
      if (ahead >= CORRECTED_PICTURES) return expected(type, asFound);
      const complexity = asFound * this.correction(type);
      sharedComplexity.set(type, sharedComplexity.get(type)! + complexity - asFound);
      return expected(type, complexity);
    });
    const sharingPictures = this.#firstPass.length - this.#next;
    const reachesEnd = sharingPictures <= MAX_LISTED_PICTURES;
    const sharedBits = (baseScale: number) => bitsAtBaseScale(sharedComplexity, baseScale);
    return { pictures, sharingPictures, sharedBits, debtShare: 1, reachesEnd };
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

  /** Takes note of the complexity of picture `index`, in coded order. */
  learn(index: number, complexity: number): void {
    const picture = this.#firstPass[index]!;
    const known = this.correction(picture.type);
    const found = complexity / complexityIn(picture);
    this.#correction.set(picture.type, known + NEWEST_WEIGHT * (found - known));
  }

  #addRemaining(picture: PassPicture, sign: 1 | -1): void {
    const sum = (this.#remaining.get(picture.type) ?? 0) + sign * complexityIn(picture);
    this.#remaining.set(picture.type, Math.max(0, sum));
  }
}

function expected(type: PictureType, complexity: number): ExpectedPicture {
  return { type, bitsAt: scale => bitsAt(complexity, scale) };
}

function complexityIn({ bits, quantizerScale }: PassPicture): number {
  return complexityOf(bits, quantizerScale);
}
