// Gives each picture its budget, so that the stream keeps to its bit rate and the decoder's buffer never runs empty.
import { MAX_QUANTIZER_SCALE } from '../../bitstream/limits.js';
import type { FrameRate } from '../../bitstream/tables/frame-rate.js';
import { InputError } from '../../errors.js';
import type { MacroblockGrid } from '../../picture/picture.js';
import type { GopPattern, PlannedPicture } from '../gop/gop-plan.js';
import { clampScale, meanPictureScale } from '../quantizer/picture-scale.js';
import { baseScaleWithinBuffer, maxPictureBits, stuffingBytes } from './buffer-limits.js';
import { FirstPassForecast } from './first-pass-forecast.js';
import { type BudgetSettings, LOOSE_CORRECTION, PictureBudget, TIGHT_CORRECTION } from './picture-budget.js';
import { bitsAt, complexityOf, scaleFactorFor, TypeComplexity } from './picture-complexity.js';
import { baseScaleForBits, type Forecast, forecastUpcoming } from './rate-forecast.js';
import type { RateSettings } from './rate-settings.js';
import { RowProfile } from './row-profile.js';
import type { PictureShape } from './sparse-picture.js';
import { SparseReserve } from './sparse-reserve.js';
import { VbvBuffer } from './vbv-buffer.js';

/** What the controller must know of the pictures. */
export interface RateShape {
  readonly grid: MacroblockGrid;
  readonly frameRate: FrameRate;
  readonly sliceRows: readonly number[];
  readonly pattern: Pick<GopPattern, 'bFrames'>;
}

// None of the following is measured by itself; docs/benchmarks.md has the accuracy of rates that they give together.
/** The base scale changes by at most this factor from picture to picture, unless the buffer demands more ... */
const MAX_BASE_SCALE_STEP = 1.3;
/** ... but the first pictures are free: the complexities are only guessed before. */
const FREE_PICTURES = 4;
/** However great the debt is, the sharing pictures get at least this part of their mean share. */
const MIN_SHARE = 0.2;
/** A picture's target is at most this part of its limit. */
const MAX_TARGET_PART = 0.9;
/** With a target above this part of its limit, a picture keeps tightly to it. */
const TIGHT_TARGET_PART = 0.7;
/** The last pictures of an encode, whose differences no others can make up for. */
const LAST_PICTURES = 6;
/** These are coded again if they exceed their target by this factor. */
const LAST_TOLERANCE = 1.08;
/** The first picture of a type is coded again if its bits and their guess differ by this factor, ... */
const FIRST_TOLERANCE = 1.35;
/** ... if the scale changes by at least this part, ... */
const MIN_SCALE_CHANGE = 0.05;
/** ... and at most this many times. */
const MAX_GUESSES = 3;
/**
 * An I picture that needs so many times the bits that were expected begins a scene of another kind, such as the film
 * after a black lead-in.
 */
const NEW_SCENE_FACTOR = 4;
/** Up to this base scale, coding is nearly lossless, and the next one may be any coarser scale. */
const FREE_BASE_SCALE = 1;
/** How often a picture is coded again with a coarser scale before macroblocks are coded sparsely. */
const MAX_COARSER_ATTEMPTS = 2;
/** From this scale on no coarser one is tried: it would be MAX_QUANTIZER_SCALE in nearly all rows. */
const MAX_COARSENED_SCALE = 30.5;
/**
 * Warns of a rate that is exceeded by this part while at least half of the pictures have such a scale or a coarser one.
 */
const UNREACHABLE_EXCESS = 0.03;
const UNREACHABLE_SCALE = 29;

/** To be called for each picture in coded order: `begin`, then `retry` until it returns undefined, then `accept`. */
export class RateController {
  readonly #settings: RateSettings;
  readonly #shape: PictureShape;
  readonly #rows: number;
  readonly #complexity: TypeComplexity;
  readonly #profile = new RowProfile();
  readonly #firstPass: FirstPassForecast | undefined;
  readonly #buffer: VbvBuffer | undefined;
  readonly #reserve: SparseReserve | undefined;
  readonly #warn: (message: string) => void;
  #baseScale: number | undefined;
  #codedPictures = 0;
  #codedBits = 0;
  /** Pictures with a scale of at least UNREACHABLE_SCALE. */
  #coarsePictures = 0;

  /** `warn` is called at most once: at the end, if the bit rate was too low for the pictures. */
  constructor(
    settings: RateSettings,
    { grid, frameRate, sliceRows, pattern }: RateShape,
    warn: (message: string) => void = () => {},
  ) {
    this.#settings = settings;
    this.#warn = warn;
    this.#rows = grid.mbHeight;
    this.#shape = { macroblocks: grid.mbWidth * grid.mbHeight, slices: sliceRows.length, gop: settings.gop };
    const picturesPerSecond = frameRate.numerator / frameRate.denominator;
    this.#firstPass = settings.firstPass && new FirstPassForecast(settings.firstPass);
    this.#complexity = new TypeComplexity(settings.pels);
    this.#buffer = settings.buffer && new VbvBuffer(settings.buffer, picturesPerSecond);
    this.#reserve = settings.buffer && new SparseReserve(settings.buffer, this.#shape, pattern.bFrames);
  }

  /** How many upcoming pictures `begin` needs, the next one included. */
  get window(): number {
    return this.#settings.window;
  }

  /**
   * vbv_delay of the next picture, whose picture header follows `headerBits` of its access unit; undefined without a
   * buffer.
   */
  delayTicks(headerBits: number): number | undefined {
    return this.#buffer?.delayTicks(headerBits);
  }

  /** The budget of the next picture, the first of `upcoming`. `isEnd`: no pictures follow `upcoming`. */
  begin(upcoming: readonly PlannedPicture[], isEnd: boolean): PictureBudget {
    const { type } = upcoming[0]!;
    const forecast = this.#forecast(upcoming, isEnd);
    const { pictures, reachesEnd } = forecast;
    const baseScale = this.#chooseBaseScale(forecast);
    this.#baseScale = baseScale;
    const { complexity } = pictures[0]!;
    const maxBits = this.#maxBits(upcoming, isEnd);
    const wantedBits = Math.max(
      bitsAt(complexity, meanPictureScale(type, baseScale)),
      this.#buffer?.minPictureBits ?? 0,
    );
    const targetBits = Math.min(wantedBits, MAX_TARGET_PART * maxBits);
    const scale = clampScale(scaleFactorFor(complexity / targetBits));
    const isNearEnd = reachesEnd && pictures.length <= LAST_PICTURES;
    const isNearLimit = targetBits < wantedBits || wantedBits > TIGHT_TARGET_PART * maxBits;
    const correction = isNearEnd || isNearLimit ? TIGHT_CORRECTION : LOOSE_CORRECTION;
    const rows = this.#rows;
    return this.#budget({ type, rows, scale, targetBits, maxBits, correction, isNearEnd, sparseCoding: 'never' });
  }

  /**
   * Whether the picture that `budget` was for begins a scene of another kind: it took `bits` at the picture scale
   * `scale`. If so, what was known of the pictures is forgotten, and `begin` gives it a better budget.
   */
  beginsNewScene({ settings }: PictureBudget, bits: number, scale: number): boolean {
    const complexity = complexityOf(bits, scale);
    if (settings.type !== 'I' || this.#firstPass || !this.#complexity.knows('I')) return false;
    if (complexity < NEW_SCENE_FACTOR * this.#complexity.of('I')) return false;
    this.#complexity.restart(complexity);
    this.#baseScale = undefined;
    return true;
  }

  /**
   * Another budget to code the picture with again, or undefined to accept it. It took `bits` at the picture scale
   * `scale`, after `attempts` earlier attempts. Throws InputError if even the sparsest picture does not fit into the
   * buffer.
   */
  retry(budget: PictureBudget, bits: number, scale: number, attempts: number): PictureBudget | undefined {
    const { settings } = budget;
    const { targetBits, maxBits, sparseCoding } = settings;
    const mayCoarsen = attempts < MAX_COARSER_ATTEMPTS && scale < MAX_COARSENED_SCALE;
    if (bits > maxBits) {
      if (sparseCoding === 'always') throw this.#tooLarge(bits);
      if (sparseCoding === 'near-limit') return this.#budget({ ...settings, sparseCoding: 'always' });
      if (!mayCoarsen) {
        return this.#budget({ ...settings, scale: MAX_QUANTIZER_SCALE, sparseCoding: 'near-limit' });
      }
      const lowerTarget = MAX_TARGET_PART * maxBits;
      const coarser = clampScale(Math.max(scale + 1, scale * scaleFactorFor(bits / lowerTarget)));
      return this.#budget({ ...settings, scale: coarser, targetBits: lowerTarget, correction: TIGHT_CORRECTION });
    }
    if (settings.isNearEnd && bits > LAST_TOLERANCE * targetBits && mayCoarsen) {
      return this.#budget({ ...settings, scale: clampScale(scale * scaleFactorFor(bits / targetBits)) });
    }
    return this.#retryFirstOfType(settings, bits, scale, attempts);
  }

  /**
   * Takes note of the accepted picture; returns how many zero bytes must follow it. `isLast`: no picture follows.
   */
  accept(budget: PictureBudget, bits: number, scale: number, isLast: boolean): number {
    const { type, sparseCoding } = budget.settings;
    const complexity = sparseCoding === 'never' ? complexityOf(bits, scale) : undefined;
    this.#firstPass?.advance(complexity);
    if (complexity !== undefined) {
      this.#complexity.learn(type, complexity);
      this.#profile.learn(type, budget.rowComplexities(bits));
    }
    // At a constant rate, stuffing after the last picture makes up for what the whole stream has saved.
    const wantedBits = isLast ? this.#settings.pictureBits - this.#debtBits : 0;
    const stuffing = this.#buffer ? stuffingBytes(this.#buffer, bits, wantedBits) : 0;
    this.#codedPictures++;
    this.#codedBits += bits + 8 * stuffing;
    this.#buffer?.takeOut(bits + 8 * stuffing);
    this.#reserve?.take(type);
    if (scale >= UNREACHABLE_SCALE) this.#coarsePictures++;
    if (isLast) this.#warnIfUnreachable();
    return stuffing;
  }

  #maxBits(upcoming: readonly PlannedPicture[], isEnd: boolean): number {
    if (!this.#buffer || !this.#reserve) return Number.POSITIVE_INFINITY;
    const bitsAfterwards = isEnd ? 0 : this.#reserve.bitsAfter(upcoming.map(({ type }) => type));
    return maxPictureBits(this.#buffer, upcoming, bitsAfterwards, this.#shape);
  }

  #budget(settings: BudgetSettings): PictureBudget {
    return new PictureBudget(settings, this.#profile);
  }

  /** The complexity of a type's first picture is only a guess: a better budget where it was far off. */
  #retryFirstOfType(
    settings: BudgetSettings,
    bits: number,
    scale: number,
    attempts: number,
  ): PictureBudget | undefined {
    const { type, targetBits } = settings;
    if (this.#complexity.knows(type) || this.#firstPass || attempts >= MAX_GUESSES) return undefined;
    const ratio = bits / targetBits;
    if (Math.max(ratio, 1 / ratio) < FIRST_TOLERANCE) return undefined;
    const better = clampScale(scaleFactorFor(complexityOf(bits, scale) / targetBits));
    return Math.abs(better / scale - 1) < MIN_SCALE_CHANGE ? undefined : this.#budget({ ...settings, scale: better });
  }

  #forecast(upcoming: readonly PlannedPicture[], isEnd: boolean): Forecast {
    const { gop } = this.#settings;
    return this.#firstPass?.forecast(upcoming[0]!) ?? forecastUpcoming(upcoming, isEnd, this.#complexity, gop);
  }

  /** Bits by which the coded pictures exceed their share of the rate. */
  get #debtBits(): number {
    return this.#codedBits - this.#codedPictures * this.#settings.pictureBits;
  }

  /**
   * The base scale at which the sharing pictures take their share of the rate less the debt, and all fit into the
   * buffer.
   */
  #chooseBaseScale({ pictures, sharingPictures, sharedComplexity, debtShare }: Forecast): number {
    const meanShare = sharingPictures * this.#settings.pictureBits;
    const bits = Math.max(MIN_SHARE * meanShare, meanShare - debtShare * this.#debtBits);
    const steady = this.#limitStep(baseScaleForBits(sharedComplexity, bits));
    return this.#buffer ? baseScaleWithinBuffer(this.#buffer, pictures, steady) : steady;
  }

  #limitStep(baseScale: number): number {
    const last = this.#baseScale;
    if (last === undefined || this.#codedPictures < FREE_PICTURES) return baseScale;
    if (last <= FREE_BASE_SCALE && baseScale > last) return baseScale;
    return Math.max(last / MAX_BASE_SCALE_STEP, Math.min(last * MAX_BASE_SCALE_STEP, baseScale));
  }

  #warnIfUnreachable(): void {
    const factor = this.#codedBits / (this.#codedPictures * this.#settings.pictureBits);
    if (factor <= 1 + UNREACHABLE_EXCESS || this.#coarsePictures < this.#codedPictures / 2) return;
    this.#warn(
      `the bit rate is too low: the stream takes ${factor.toFixed(2)} times as much even at the coarsest quantizer_scale, ${MAX_QUANTIZER_SCALE}`,
    );
  }

  #tooLarge(bits: number): InputError {
    const room = Math.floor((this.#buffer?.fullnessBits ?? 0) / 8);
    const what = `picture ${this.#codedPictures} takes at least ${Math.ceil(bits / 8)} bytes, the decoder's buffer holds ${room}`;
    return new InputError(`${what}: a higher bit rate, a larger buffer or longer groups are needed`);
  }
}
