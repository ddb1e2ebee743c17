import type { PictureType } from '../../bitstream/picture-type.js';
import { InputError } from '../../errors.js';
import type { PlannedPicture } from '../gop/gop-plan.js';
import type { PassPicture, PassStatistics } from './pass-statistics.js';
import { complexityOf } from './picture-complexity.js';
import type { Forecast } from './rate-forecast.js';

/** Pictures that are looked at one by one: those that share the buffer with the next one. */
const MAX_LISTED = 64;
/** The correction is that of a scene: it is trusted for this many pictures, those further on are as the first pass found them. */
const CORRECTED_PICTURES = 12;
/** Weight of the newest picture in the correction. */
const NEWEST_WEIGHT = 0.5;

/** What a second pass expects: all pictures that are left, as the first pass found them, corrected by what has come of it so far. */
export class FirstPassForecast {
  readonly #passed: PassStatistics;
  /** Complexity of all pictures from the next one on, by type. */
  readonly #left = new Map<PictureType, number>();
  /** What the first pass's complexities have to be multiplied by, by type. */
  readonly #correction = new Map<PictureType, number>();
  #next = 0;

  constructor(passed: PassStatistics) {
    this.#passed = passed;
    for (const picture of passed) this.#add(picture, 1);
  }

  /** The forecast for the next picture. Throws InputError where the first pass had another one, or none. */
  forecast(next: PlannedPicture): Forecast {
    const found = this.#passed[this.#next];
    if (found?.type !== next.type) {
      const then = found ? `a ${found.type} picture` : 'not there';
      const what = `picture ${this.#next} was ${then} in the first pass and is a ${next.type} picture now`;
      throw new InputError(`${what}: both passes need the same frames and options`);
    }
    const corrected = (type: PictureType, complexity: number) => complexity * (this.#correction.get(type) ?? 1);
    const count = this.#passed.length - this.#next;
    const pictures = this.#passed.slice(this.#next, this.#next + MAX_LISTED).map((picture, ahead) => {
      const complexity = complexityIn(picture);
      const { type } = picture;
      return { type, complexity: ahead < CORRECTED_PICTURES ? corrected(type, complexity) : complexity };
    });
    const complexities = new Map(this.#left);
    pictures.slice(0, CORRECTED_PICTURES).forEach(({ type, complexity }, ahead) => {
      const asFound = complexityIn(this.#passed[this.#next + ahead]!);
      complexities.set(type, complexities.get(type)! + complexity - asFound);
    });
    return {
      pictures,
      count,
      complexities,
      debtShare: 1,
      isWhole: count <= MAX_LISTED,
    };
  }

  /** Takes note of the picture that was forecast, and of its complexity; undefined where it tells nothing. */
  advance(complexity: number | undefined): void {
    const picture = this.#passed[this.#next++]!;
    this.#add(picture, -1);
    if (complexity === undefined) return;
    const known = this.#correction.get(picture.type) ?? 1;
    const found = complexity / complexityIn(picture);
    this.#correction.set(picture.type, known + NEWEST_WEIGHT * (found - known));
  }

  #add(picture: PassPicture, sign: 1 | -1): void {
    const sum = (this.#left.get(picture.type) ?? 0) + sign * complexityIn(picture);
    this.#left.set(picture.type, Math.max(0, sum));
  }
}

function complexityIn({ bits, quantizerScale }: PassPicture): number {
  return complexityOf(bits, quantizerScale);
}
