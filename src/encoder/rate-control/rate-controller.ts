// Gives each picture its budget, so that the stream keeps to its bit rate and the decoder's buffer never runs empty.
import { MAX_QUANTIZER_SCALE } from '../../bitstream/limits.js';
import type { PictureType } from '../../bitstream/picture-type.js';
import type { FrameRate } from '../../bitstream/tables/frame-rate.js';
import { InputError } from '../../errors.js';
import type { MacroblockGrid } from '../../picture/picture.js';
import type { GopPattern, PlannedPicture } from '../gop/gop-plan.js';
import { clampScale, meanPictureScale } from '../quantizer/picture-scale.js';
import { baseScaleWithinBuffer, maxPictureBits, stuffingBytes } from './buffer-limits.js';
import { FirstPassForecast } from './first-pass-forecast.js';
import {
  type BudgetSettings,
  type CodedRows,
  LOOSE_CORRECTION,
  meanRowScale,
  rowComplexities,
  TIGHT_CORRECTION,
} from './picture-budget.js';
import { bitsAt, complexityOf, scaleFactorFor, TypeComplexity } from './picture-complexity.js';
import { feedbackDelay, type PictureResult, PicturesUnderWay } from './pictures-under-way.js';
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

/**
 * To be called for each picture in coded order: `begin`, when `neededPictures` are accepted. Then `retry` until it
 * returns undefined, then `accept`; these may come in another order where pictures are coded side by side.
 */
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
  readonly #underWay = new PicturesUnderWay();
  /** Bits of the pictures that are counted. */
  #codedBits = 0;
  /** Pictures up to here must be accepted before another begins, since they may be coded again. */
  #neededAnyway = 0;
  /** Pictures before this one say nothing about those to come: a new scene has begun. */
  #sceneStart = 0;
  #anchorScale: number | undefined;
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

  /** How many pictures have been accepted, up to the first that has not. */
  get acceptedPictures(): number {
    return this.#underWay.accepted;
  }

  /** How many pictures must be accepted before the next one begins; see `begin` for the parameters. */
  neededPictures(upcoming: readonly PlannedPicture[], isEnd: boolean): number {
    const { next } = this.#underWay;
    if (this.#buffer) return next;
    const left = this.#firstPass ? this.#firstPass.left : isEnd ? upcoming.length : Number.POSITIVE_INFINITY;
    const delay = feedbackDelay(next, Math.max(0, left - LAST_PICTURES), this.#firstPass !== undefined);
    return Math.max(0, this.#neededAnyway, next - delay);
  }

  /**
   * The budget of the next picture, the first of `upcoming`. `isEnd`: no pictures follow `upcoming`. `neededPictures`
   * must be accepted; what others took that are accepted, too, is not looked at, so that it does not matter which.
   */
  begin(upcoming: readonly PlannedPicture[], isEnd: boolean): BudgetSettings {
    this.#countUpTo(this.neededPictures(upcoming, isEnd));
    const budget = this.#chooseBudget(upcoming, isEnd);
    this.#underWay.begin(budget, this.#expectation(budget.type));
    this.#firstPass?.advance();
    if (budget.type !== 'B') this.#anchorScale = budget.scale;
    if (budget.mayBeRepeated) this.#neededAnyway = this.#underWay.next;
    return budget;
  }

  /**
   * A better budget for the picture that `budget` was for, if that begins a scene of another kind: it took `bits` at
   * the picture scale `scale`. What was known of the pictures is forgotten then. `upcoming` and `isEnd` as in `begin`.
   */
  beginNewScene(
    budget: BudgetSettings,
    bits: number,
    scale: number,
    upcoming: readonly PlannedPicture[],
    isEnd: boolean,
  ): BudgetSettings | undefined {
    const complexity = complexityOf(bits, scale);
    if (budget.type !== 'I' || this.#firstPass || !this.#complexity.knows('I')) return undefined;
    if (complexity < NEW_SCENE_FACTOR * this.#complexity.of('I')) return undefined;
    this.#complexity.restart(complexity);
    this.#baseScale = undefined;
    this.#sceneStart = this.#underWay.next - 1;
    const better = { ...this.#chooseBudget(upcoming, isEnd), anchorScale: budget.anchorScale };
    this.#anchorScale = better.scale;
    return better;
  }

  /**
   * Another budget to code the picture with again, or undefined to accept it. It took `bits` at the picture scale
   * `scale`, after `attempts` earlier attempts. Throws InputError if even the sparsest picture does not fit into the
   * buffer.
   */
  retry(settings: BudgetSettings, bits: number, scale: number, attempts: number): BudgetSettings | undefined {
    const { targetBits, maxBits, sparseCoding, mayBeRepeated } = settings;
    if (!mayBeRepeated) return undefined;
    const mayCoarsen = attempts < MAX_COARSER_ATTEMPTS && scale < MAX_COARSENED_SCALE;
    if (bits > maxBits) {
      if (sparseCoding === 'always') throw this.#tooLarge(bits);
      if (sparseCoding === 'near-limit') return { ...settings, sparseCoding: 'always' };
      if (!mayCoarsen) {
        return { ...settings, scale: MAX_QUANTIZER_SCALE, sparseCoding: 'near-limit' };
      }
      const lowerTarget = MAX_TARGET_PART * maxBits;
      const coarser = clampScale(Math.max(scale + 1, scale * scaleFactorFor(bits / lowerTarget)));
      return { ...settings, scale: coarser, targetBits: lowerTarget, correction: TIGHT_CORRECTION };
    }
    if (settings.isNearEnd && bits > LAST_TOLERANCE * targetBits && mayCoarsen) {
      return { ...settings, scale: clampScale(scale * scaleFactorFor(bits / targetBits)) };
    }
    return this.#retryFirstOfType(settings, bits, scale, attempts);
  }

  /**
   * Takes note of picture `codedNumber`, which took `bits` with its last budget; returns how many zero bytes must
   * follow it. `isLast`: no picture follows.
   */
  accept(codedNumber: number, budget: BudgetSettings, bits: number, rows: CodedRows, isLast: boolean): number {
    // At a constant rate, stuffing after the last picture makes up for what the whole stream has saved.
    const wantedBits = isLast ? this.#settings.pictureBits - this.#debtBits(0) : 0;
    const stuffing = this.#buffer ? stuffingBytes(this.#buffer, bits, wantedBits) : 0;
    this.#underWay.accept(codedNumber, budget, { bits, scale: meanRowScale(rows), rows, stuffing });
    if (isLast) {
      this.#countUpTo(this.#underWay.accepted);
      this.#warnIfUnreachable();
    }
    return stuffing;
  }

  /** Counts what pictures took, until so many are counted. */
  #countUpTo(pictures: number): void {
    while (this.#underWay.counted < pictures) {
      const index = this.#underWay.counted;
      const { budget, result } = this.#underWay.count();
      this.#count(index, budget, result);
    }
  }

  #count(index: number, { type, sparseCoding }: BudgetSettings, { bits, scale, rows, stuffing }: PictureResult): void {
    if (sparseCoding === 'never' && index >= this.#sceneStart) {
      const complexity = complexityOf(bits, scale);
      this.#firstPass?.learn(index, complexity);
      this.#complexity.learn(type, complexity);
      this.#profile.learn(type, rowComplexities(rows, bits));
    }
    this.#codedBits += bits + 8 * stuffing;
    this.#buffer?.takeOut(bits + 8 * stuffing);
    this.#reserve?.take(type);
    if (type !== 'B' && !this.#underWay.hasAnchor) this.#anchorScale = scale;
    if (scale >= UNREACHABLE_SCALE) this.#coarsePictures++;
  }

  #chooseBudget(upcoming: readonly PlannedPicture[], isEnd: boolean): BudgetSettings {
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
    const isNearEnd = reachesEnd && pictures.length <= LAST_PICTURES;
    const isNearLimit = targetBits < wantedBits || wantedBits > TIGHT_TARGET_PART * maxBits;
    const isGuess = !this.#firstPass && (type === 'I' || !this.#complexity.knows(type));
    return {
      type,
      rows: this.#rows,
      scale: clampScale(scaleFactorFor(complexity / targetBits)),
      targetBits,
      maxBits,
      correction: isNearEnd || isNearLimit ? TIGHT_CORRECTION : LOOSE_CORRECTION,
      isNearEnd,
      sparseCoding: 'never',
      mayBeRepeated: isGuess || isNearEnd || this.#buffer !== undefined,
      anchorScale: this.#anchorScale,
      sharesAbove: this.#profile.sharesAbove(type),
    };
  }

  #maxBits(upcoming: readonly PlannedPicture[], isEnd: boolean): number {
    if (!this.#buffer || !this.#reserve) return Number.POSITIVE_INFINITY;
    const bitsAfterwards = isEnd ? 0 : this.#reserve.bitsAfter(upcoming.map(({ type }) => type));
    return maxPictureBits(this.#buffer, upcoming, bitsAfterwards, this.#shape);
  }

  /** The complexity of a type's first picture is only a guess: a better budget where it was far off. */
  #retryFirstOfType(
    settings: BudgetSettings,
    bits: number,
    scale: number,
    attempts: number,
  ): BudgetSettings | undefined {
    const { type, targetBits } = settings;
    if (this.#complexity.knows(type) || this.#firstPass || attempts >= MAX_GUESSES) return undefined;
    const ratio = bits / targetBits;
    if (Math.max(ratio, 1 / ratio) < FIRST_TOLERANCE) return undefined;
    const better = clampScale(scaleFactorFor(complexityOf(bits, scale) / targetBits));
    return Math.abs(better / scale - 1) < MIN_SCALE_CHANGE ? undefined : { ...settings, scale: better };
  }

  #forecast(upcoming: readonly PlannedPicture[], isEnd: boolean): Forecast {
    const { gop } = this.#settings;
    return this.#firstPass?.forecast(upcoming[0]!) ?? forecastUpcoming(upcoming, isEnd, this.#complexity, gop);
  }

  /**
   * Bits by which the pictures before the next one exceed their share of the rate. Those under way are taken to keep to
   * their targets, but for what is known better of pictures like them by now.
   */
  #debtBits(underWay = this.#underWay.next - this.#underWay.counted): number {
    const bits = this.#codedBits + this.#underWay.expectedBits(underWay, type => this.#expectation(type));
    return bits - (this.#underWay.counted + underWay) * this.#settings.pictureBits;
  }

  /** The complexity expected of a type, in units of its own. */
  #expectation(type: PictureType): number {
    return this.#firstPass?.correction(type) ?? this.#complexity.of(type);
  }

  /**
   * The base scale at which the sharing pictures take their share of the rate less the debt, and all fit into the
   * buffer.
   */
  #chooseBaseScale({ pictures, sharingPictures, sharedComplexity, debtShare }: Forecast): number {
    const meanShare = sharingPictures * this.#settings.pictureBits;
    const bits = Math.max(MIN_SHARE * meanShare, meanShare - debtShare * this.#debtBits());
    const steady = this.#limitStep(baseScaleForBits(sharedComplexity, bits));
    return this.#buffer ? baseScaleWithinBuffer(this.#buffer, pictures, steady) : steady;
  }

  #limitStep(baseScale: number): number {
    const last = this.#baseScale;
    if (last === undefined || this.#underWay.next < FREE_PICTURES) return baseScale;
    if (last <= FREE_BASE_SCALE && baseScale > last) return baseScale;
    return Math.max(last / MAX_BASE_SCALE_STEP, Math.min(last * MAX_BASE_SCALE_STEP, baseScale));
  }

  #warnIfUnreachable(): void {
    const factor = this.#codedBits / (this.#underWay.counted * this.#settings.pictureBits);
    if (factor <= 1 + UNREACHABLE_EXCESS || this.#coarsePictures < this.#underWay.counted / 2) return;
    this.#warn(
      `the bit rate is too low: the stream takes ${factor.toFixed(2)} times as much even at the coarsest quantizer_scale, ${MAX_QUANTIZER_SCALE}`,
    );
  }

  #tooLarge(bits: number): InputError {
    const room = Math.floor((this.#buffer?.fullnessBits ?? 0) / 8);
    const what = `picture ${this.#underWay.counted} takes at least ${Math.ceil(bits / 8)} bytes, the decoder's buffer holds ${room}`;
    return new InputError(`${what}: a higher bit rate, a larger buffer or longer groups are needed`);
  }
}
