// Gives each picture its budget, so that the stream keeps to its bit rate and the decoder's buffer never runs empty.
import { MAX_QUANTIZER_SCALE } from '../../bitstream/limits.js';
import type { FrameRate } from '../../bitstream/tables/frame-rate.js';
import type { InputError, OptionNaming } from '../../errors.js';
import type { MacroblockGrid } from '../../picture/picture.js';
import type { GopPattern } from '../gop/gop-plan.js';
import { meanPictureScale } from '../quantizer/picture-scale.js';
import { BaseScaleSteps } from './base-scale-steps.js';
import { baseScaleWithinBuffer, type PictureLimits, pictureLimits } from './buffer/buffer-limits.js';
import { Deliveries, type Delivery } from './buffer/deliveries.js';
import { type PictureShape, pictureShape } from './buffer/sparse-picture.js';
import { SparseReserve } from './buffer/sparse-reserve.js';
import { tooLargePicture } from './buffer/too-large-picture.js';
import { VbvBuffer } from './buffer/vbv-buffer.js';
import { BitModel, type UpcomingPicture } from './forecast/bit-model.js';
import { FirstPassForecast } from './forecast/first-pass-forecast.js';
import { baseScaleFor, type Forecast, forecastUpcoming, scaleFor } from './forecast/rate-forecast.js';
import { type BudgetSettings, LOOSE_CORRECTION, rowComplexities, TIGHT_CORRECTION } from './picture-budget.js';
import type { CodingAttempt, PictureRate } from './picture-rate.js';
import {
  type FeedbackKind,
  feedbackDelay,
  fullFeedbackDelay,
  type PictureResult,
  PicturesUnderWay,
} from './pictures-under-way.js';
import type { RateSettings } from './rate-settings.js';
import { RateWarning } from './rate-warning.js';
import { fittingBudget, isWorthwhile, MAX_TARGET_PART, nearerToTarget } from './repeated-picture.js';
import { RowProfile } from './row-profile.js';

/** What the controller must know of the pictures. */
export interface RateShape {
  readonly grid: MacroblockGrid;
  readonly frameRate: FrameRate;
  readonly sliceRows: readonly number[];
  readonly pattern: Pick<GopPattern, 'bFrames'>;
}

// None of the following is measured by itself; docs/benchmarks.md has the accuracy of rates that they give together.
/** A picture's scale is made coarser by at most this factor where the others may need more than expected. */
const MAX_CAUTION = 1.1;
/** The same of the first picture of a type. */
const MAX_FIRST_CAUTION = 1.3;
/** However great the debt is, the sharing pictures get at least this part of their mean share. */
const MIN_SHARE = 0.2;
/**
 * How much of what the buffer holds beyond its target a picture may take. The rest is for those that begin before it is
 * known what the picture takes.
 */
const EXCESS_PART = 1 / 2;
/** With a target above this part of its limit, a picture keeps tightly to it. */
const TIGHT_TARGET_PART = 0.7;
/** The last pictures of an encode, whose differences no others can make up for. */
const LAST_PICTURES = 4;
/** By which part of the whole stream one of them may miss its target before it is coded again. */
const LAST_TOLERANCE = 0.004;
/**
 * An I picture that needs so many times the bits that were expected begins a scene of another kind, such as the film
 * after a black lead-in.
 */
const NEW_SCENE_FACTOR = 4;

/** Gives pictures their bits by what is known of those to come; see {@link PictureRate} for its methods. */
export class RateController implements PictureRate {
  readonly #settings: RateSettings;
  readonly #shape: PictureShape;
  readonly #rows: number;
  readonly #model: BitModel;
  readonly #profile = new RowProfile();
  readonly #firstPass: FirstPassForecast | undefined;
  readonly #feedbackKind: FeedbackKind;
  /** The buffer before the first picture that is not counted. */
  readonly #buffer: VbvBuffer | undefined;
  readonly #deliveries: Deliveries | undefined;
  readonly #reserve: SparseReserve | undefined;
  readonly #warn: (message: string) => void;
  readonly #baseScales = new BaseScaleSteps();
  readonly #underWay = new PicturesUnderWay();
  /** Bits of the pictures that are counted. */
  #codedBits = 0;
  /** Pictures up to here must be accepted before another begins, since they may be coded again. */
  #neededAnyway = 0;
  /** Pictures before this one say nothing about those to come: a new scene has begun. */
  #sceneStart = 0;
  #anchorScale: number | undefined;
  /** Coded number of the last picture of the stream, once it is accepted. */
  #last = Number.POSITIVE_INFINITY;
  readonly #warning: RateWarning;

  /** `warn` is called at most once: at the end, if the stream misses its bit rate. */
  constructor(
    settings: RateSettings,
    { grid, frameRate, sliceRows, pattern }: RateShape,
    warn: (message: string) => void = () => {},
  ) {
    this.#settings = settings;
    this.#warn = warn;
    this.#rows = grid.mbHeight;
    this.#shape = pictureShape(grid, sliceRows.length, settings.gop);
    this.#firstPass = settings.firstPass && new FirstPassForecast(settings.firstPass);
    const { firstPass, isFirstPass, buffer } = settings;
    this.#feedbackKind = {
      pass: isFirstPass ? 1 : firstPass ? 2 : 0,
      hasBuffer: buffer !== undefined,
    };
    this.#model = new BitModel(this.#shape);
    this.#warning = new RateWarning(this.#model);
    this.#buffer = settings.buffer && new VbvBuffer(settings.buffer);
    this.#deliveries = settings.buffer && new Deliveries(settings.buffer, frameRate.numerator / frameRate.denominator);
    this.#reserve = settings.buffer && new SparseReserve(settings.buffer, this.#shape, pattern.bFrames);
  }

  /** How many upcoming pictures `begin` needs, the next one included. */
  get window(): number {
    return this.#settings.window;
  }

  get acceptedPictures(): number {
    return this.#underWay.accepted;
  }

  neededPictures(upcoming: readonly UpcomingPicture[], isEnd: boolean): number {
    const { next } = this.#underWay;
    // The largest picture has all that the buffer really holds, not what it holds at the least.
    if (this.#buffer && upcoming[0]?.type === 'I') return next;
    return Math.max(0, this.#neededAnyway, next - this.#delay(upcoming, isEnd));
  }

  get #isFirstPass(): boolean {
    return this.#feedbackKind.pass === 1;
  }

  #delay(upcoming: readonly UpcomingPicture[], isEnd: boolean): number {
    const left = this.#firstPass ? this.#firstPass.left : isEnd ? upcoming.length : Number.POSITIVE_INFINITY;
    return feedbackDelay(this.#underWay.next, Math.max(0, left - LAST_PICTURES), this.#feedbackKind);
  }

  begin(upcoming: readonly UpcomingPicture[], isEnd: boolean): BudgetSettings {
    this.#countUpTo(this.neededPictures(upcoming, isEnd));
    const budget = this.#chooseBudget(upcoming, isEnd, this.#underWay.budgets);
    this.#underWay.begin(upcoming[0]!, budget, this.#expectationOf(upcoming[0]!, budget));
    this.#firstPass?.advance();
    if (budget.type !== 'B') this.#anchorScale = budget.scale;
    if (budget.isAwaited) this.#neededAnyway = this.#underWay.next;
    return budget;
  }

  retry(attempt: CodingAttempt, upcoming: readonly UpcomingPicture[], isEnd: boolean): BudgetSettings | undefined {
    const { budget, bits, scale, attempts } = attempt;
    if (!budget.mayBeRepeated) return undefined;
    const better = this.#guessBetter(attempt, upcoming, isEnd);
    if (better) return better;
    if (bits > budget.maxBits) {
      const fitting = fittingBudget(budget, bits, scale, attempts);
      if (!fitting) throw this.#tooLarge(bits);
      return fitting;
    }
    return nearerToTarget(budget, bits, scale, attempts);
  }

  /**
   * A better budget for a picture whose bits were a guess: the first of its type, or one that begins a scene of another
   * kind. Its scale is chosen anew, from what it took.
   */
  #guessBetter(
    { budget, bits, scale, attempts }: CodingAttempt,
    upcoming: readonly UpcomingPicture[],
    isEnd: boolean,
  ): BudgetSettings | undefined {
    // If other pictures may have begun since, what is known now must not matter.
    if (this.#firstPass || !budget.isAwaited || budget.sparseCoding !== 'never') return undefined;
    const [picture] = upcoming as [UpcomingPicture];
    const { type } = picture;
    const isKnown = this.#model.hasLearned(type);
    if (isKnown) {
      const isNewScene = type === 'I' && attempts === 0 && bits > NEW_SCENE_FACTOR * this.#model.bits(picture, scale);
      if (!isNewScene) return undefined;
      this.#model.restart();
      this.#sceneStart = this.#underWay.next - 1;
    }
    this.#model.suppose(picture, bits, scale);
    this.#baseScales.restart();
    const before = this.#underWay.budgets.slice(0, -1);
    const better = { ...this.#chooseBudget(upcoming, isEnd, before), anchorScale: budget.anchorScale };
    return isWorthwhile(better, scale, attempts) ? better : undefined;
  }

  accept(codedNumber: number, result: PictureResult): void {
    this.#underWay.accept(codedNumber, result);
    if (this.#deliveries) this.#addAccepted(this.#deliveries);
    if (result.isLast) this.#last = codedNumber;
    if (this.#underWay.accepted <= this.#last) return; // others may be under way when the last one is accepted
    this.#countUpTo(this.#underWay.accepted);
    if (this.#isFirstPass) return; // its stream is dropped
    const message = this.#warning.message(this.#codedBits, this.#settings);
    if (message !== undefined) this.#warn(message);
  }

  deliver(codedNumber: number, headerBits: number): Delivery | undefined {
    return this.#deliveries?.take(codedNumber, headerBits);
  }

  /** Finds the stuffing of accepted pictures, up to the first that is not accepted. */
  #addAccepted(deliveries: Deliveries): void {
    for (;;) {
      const result = this.#underWay.result(deliveries.next);
      if (!result) return;
      if (result.isLast) this.#countUpTo(deliveries.next);
      // At a constant rate, stuffing after the last picture makes up for what the whole stream has saved.
      const wantedBits = result.isLast ? this.#settings.pictureBits - this.#debtBits(0) : 0;
      result.stuffing = deliveries.add(result.bits, wantedBits);
    }
  }

  /** Counts what pictures took, until so many are counted. */
  #countUpTo(pictures: number): void {
    while (this.#underWay.counted < pictures) {
      const index = this.#underWay.counted;
      const { picture, result } = this.#underWay.count();
      this.#count(index, picture, result);
    }
  }

  #count(index: number, picture: UpcomingPicture, { budget, bits, scale, rows, stuffing = 0 }: PictureResult): void {
    const { type, sparseCoding } = budget;
    if (sparseCoding === 'never' && index >= this.#sceneStart) {
      this.#firstPass?.learn(index, picture, bits, scale, this.#model);
      this.#model.learn(picture, bits, scale);
      this.#profile.learn(type, rowComplexities(rows, bits));
    }
    this.#codedBits += bits + 8 * stuffing;
    this.#buffer?.takeOut(bits + 8 * stuffing);
    this.#reserve?.take(type);
    if (type !== 'B' && !this.#underWay.hasAnchor) this.#anchorScale = scale;
    this.#warning.add(picture, bits, scale, sparseCoding !== 'never');
  }

  /** A budget for the next picture after those with the budgets `before`, which are under way. */
  #chooseBudget(
    upcoming: readonly UpcomingPicture[],
    isEnd: boolean,
    before: readonly BudgetSettings[],
  ): BudgetSettings {
    const { type } = upcoming[0]!;
    const forecast = this.#forecast(upcoming, isEnd);
    const { pictures, reachesEnd } = forecast;
    const expectedBuffer = this.#buffer?.after(this.#underWay.expectedBits(before.length, this.#expectationOf));
    // Without errors the first scales are guesses. A first pass does not make up for them: even scales tell more.
    const paysDebt = !this.#isFirstPass || upcoming[0]!.errors !== undefined;
    const sharedBits = this.#sharedBits(forecast, paysDebt ? this.#debtBits(before.length) : 0);
    const baseScale = this.#chooseBaseScale(forecast, expectedBuffer, sharedBits);
    this.#baseScales.take(type, baseScale);
    const { bitsAt } = pictures[0]!;
    const limits = this.#limits(upcoming, isEnd, before);
    const steadyScale = meanPictureScale(type, baseScale);
    // However coarse the others are, they must not exceed what this picture leaves.
    const caution = this.#firstPass || this.#model.hasLearned(type) ? MAX_CAUTION : MAX_FIRST_CAUTION;
    const leastBits = bitsAt(Math.min(MAX_QUANTIZER_SCALE, steadyScale * caution));
    const steadyBits = Math.min(bitsAt(steadyScale), Math.max(leastBits, sharedBits - forecast.leastOtherBits));
    const wantedBits = Math.max(steadyBits, expectedBuffer?.minPictureBits ?? 0);
    const targetBits = Math.min(wantedBits, MAX_TARGET_PART * limits.maxBits);
    const maxBits = Math.max(limits.sparseBits, targetBits + EXCESS_PART * (limits.maxBits - targetBits));
    const isLate = !this.#isFirstPass && reachesEnd && pictures.length <= LAST_PICTURES;
    const wholeBits = this.#settings.pictureBits * (this.#underWay.counted + before.length + pictures.length);
    const toleranceBits = LAST_TOLERANCE * wholeBits;
    // In a long stream even twice the target is within the tolerance: nobody has to wait for such a picture.
    const isNearEnd = isLate && targetBits > toleranceBits;
    const isNearLimit = targetBits < wantedBits || wantedBits > TIGHT_TARGET_PART * maxBits;
    const isGuess = !this.#firstPass && !this.#isFamiliar(upcoming, isEnd, steadyScale);
    const scale = targetBits === bitsAt(steadyScale) ? steadyScale : scaleFor(bitsAt, targetBits);
    return {
      type,
      rows: this.#rows,
      scale,
      targetBits,
      maxBits,
      correction: isNearLimit ? TIGHT_CORRECTION : LOOSE_CORRECTION,
      toleranceBits: isNearEnd ? toleranceBits : Number.POSITIVE_INFINITY,
      payableBits: isGuess ? Math.max(targetBits, sharedBits - forecast.leastOtherBits) : Number.POSITIVE_INFINITY,
      plannedScale: scale,
      sparseCoding: 'never',
      mayBeRepeated: isGuess || isNearEnd || this.#buffer !== undefined,
      isAwaited: isGuess || isNearEnd,
      anchorScale: this.#anchorScale ?? scale,
      sharesAbove: this.#profile.sharesAbove(type),
    };
  }

  /**
   * Whether what is known of the next picture's type holds for it. An I picture may begin a scene of another kind; one
   * whose errors are like those of the last does not. While the delay is short, all are waited for anyway.
   */
  #isFamiliar(upcoming: readonly UpcomingPicture[], isEnd: boolean, scale: number): boolean {
    const [picture] = upcoming as [UpcomingPicture];
    if (picture.type !== 'I') return this.#model.hasLearned(picture.type);
    if (this.#buffer) return false;
    const longest = Math.min(fullFeedbackDelay(this.#feedbackKind), this.#underWay.next);
    return this.#delay(upcoming, isEnd) === longest && this.#model.hasLearnedLike(picture, scale);
  }

  /** The limits of the next picture, if each of those with the budgets `before` takes all that it may. */
  #limits(upcoming: readonly UpcomingPicture[], isEnd: boolean, before: readonly BudgetSettings[]): PictureLimits {
    if (!this.#buffer || !this.#reserve) return { maxBits: Number.POSITIVE_INFINITY, sparseBits: 0 };
    const bitsAfterwards = isEnd ? 0 : this.#reserve.bitsAfter([...before, ...upcoming].map(({ type }) => type));
    const buffer = this.#buffer.after(before.map(({ maxBits }) => maxBits));
    return pictureLimits(buffer, upcoming, bitsAfterwards, this.#shape);
  }

  #forecast(upcoming: readonly UpcomingPicture[], isEnd: boolean): Forecast {
    const { gop } = this.#settings;
    return this.#firstPass?.forecast(upcoming, this.#model) ?? forecastUpcoming(upcoming, isEnd, this.#model, gop);
  }

  /**
   * Bits by which the pictures before the next one exceed their share of the rate. Those under way are taken to keep to
   * their targets, but for what is known better of pictures like them by now.
   */
  #debtBits(underWay: number): number {
    const expected = this.#underWay.expectedBits(underWay, this.#expectationOf);
    const bits = this.#codedBits + expected.reduce((sum, picture) => sum + picture, 0);
    return bits - (this.#underWay.counted + underWay) * this.#settings.pictureBits;
  }

  /**
   * A target is scaled by the ratio of two: bits at the budget's scale; in a second pass, the correction of the type.
   */
  readonly #expectationOf = (picture: UpcomingPicture, { type, scale }: BudgetSettings): number =>
    this.#firstPass?.correction(type) ?? this.#model.bits(picture, scale);

  /** The bits of the sharing pictures: their share of the rate less their part of the debt. */
  #sharedBits({ sharingPictures, debtShare }: Forecast, debtBits: number): number {
    const meanShare = sharingPictures * this.#settings.pictureBits;
    return Math.max(MIN_SHARE * meanShare, meanShare - debtShare * debtBits);
  }

  /** The base scale at which the sharing pictures take so many bits, and all fit into the buffer. */
  #chooseBaseScale({ pictures, sharedBits }: Forecast, buffer: VbvBuffer | undefined, bits: number): number {
    const wanted = baseScaleFor(sharedBits, bits);
    const steady = this.#baseScales.nearest(pictures[0]!.type, this.#underWay.next, wanted);
    return buffer ? baseScaleWithinBuffer(buffer, pictures, steady) : steady;
  }

  #tooLarge(bits: number): InputError {
    const remedies = (named: OptionNaming) => `${named('bitrate')}, ${named('vbvBytes')} or ${named('gop')}`;
    return tooLargePicture(this.#underWay.counted, bits, this.#buffer?.fullnessBits ?? 0, remedies);
  }
}
