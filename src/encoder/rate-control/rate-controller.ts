// Gives each picture its budget, so that the stream keeps to its bit rate and the decoder's buffer never runs empty.
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
import { type FeedbackKind, feedbackDelay, fullFeedbackDelay } from './feedback-delay.js';
import { BitModel, type UpcomingPicture, type UpcomingPictures } from './forecast/bit-model.js';
import { FirstPassForecast } from './forecast/first-pass-forecast.js';
import { baseScaleFor, type Forecast, forecastUpcoming } from './forecast/rate-forecast.js';
import { type BudgetSettings, rowComplexities } from './picture-budget.js';
import type { CodingAttempt, PictureRate } from './picture-rate.js';
import { pictureTarget } from './picture-target.js';
import { type PictureResult, PicturesUnderWay } from './pictures-under-way.js';
import type { RateSettings } from './rate-settings.js';
import { RateWarning } from './rate-warning.js';
import { fittingBudget, isWorthwhile, nearerToTarget } from './repeated-picture.js';
import { RowProfile } from './row-profile.js';

/** What the controller must know of the pictures. */
export interface RateShape {
  readonly grid: MacroblockGrid;
  readonly frameRate: FrameRate;
  readonly sliceRows: readonly number[];
  readonly pattern: Pick<GopPattern, 'bFrames'>;
}

// None of the following is measured by itself; docs/benchmarks.md has the accuracy of rates that they give together.
/** However great the debt is, the sharing pictures get at least this part of their mean share. */
const MIN_SHARE = 0.2;
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
    const { firstPass, isFirstPass, buffer } = settings;
    this.#feedbackKind = { pass: isFirstPass ? 1 : firstPass ? 2 : 0, hasBuffer: buffer !== undefined };
    this.#model = new BitModel(this.#shape, buffer ? 'prompt' : 'late');
    this.#firstPass = firstPass && new FirstPassForecast(firstPass, this.#model);
    this.#warning = new RateWarning(this.#model);
    this.#buffer = buffer && new VbvBuffer(buffer);
    this.#deliveries = buffer && new Deliveries(buffer, frameRate.numerator / frameRate.denominator);
    this.#reserve = buffer && new SparseReserve(buffer, this.#shape, pattern.bFrames);
  }

  /** How many upcoming pictures `begin` needs, the next one included. */
  get window(): number {
    return this.#settings.window;
  }

  get acceptedPictures(): number {
    return this.#underWay.accepted;
  }

  neededPictures(upcoming: UpcomingPictures): number {
    const { next } = this.#underWay;
    // The largest picture has all that the buffer really holds, not what it holds at the least.
    if (this.#buffer && upcoming.pictures[0]?.type === 'I') return next;
    return Math.max(0, this.#neededAnyway, next - this.#delay(upcoming));
  }

  get #isFirstPass(): boolean {
    return this.#feedbackKind.pass === 1;
  }

  #delay({ pictures, isEnd }: UpcomingPictures): number {
    const left = this.#firstPass ? this.#firstPass.left : isEnd ? pictures.length : Number.POSITIVE_INFINITY;
    return feedbackDelay(this.#underWay.next, Math.max(0, left - LAST_PICTURES), this.#feedbackKind);
  }

  begin(upcoming: UpcomingPictures): BudgetSettings {
    this.#countUpTo(this.neededPictures(upcoming));
    const budget = this.#chooseBudget(upcoming, this.#underWay.budgets);
    const picture = upcoming.pictures[0]!;
    this.#underWay.begin(picture, budget, this.#expectationOf(picture, budget));
    this.#firstPass?.advance();
    if (budget.type !== 'B') this.#anchorScale = budget.scale;
    if (budget.isAwaited) this.#neededAnyway = this.#underWay.next;
    return budget;
  }

  retry(attempt: CodingAttempt, upcoming: UpcomingPictures): BudgetSettings | undefined {
    const { budget, bits } = attempt;
    if (!budget.mayBeRepeated) return undefined;
    const better = this.#guessBetter(attempt, upcoming);
    if (better) return better;
    if (bits > budget.maxBits) {
      const fitting = fittingBudget(attempt);
      if (!fitting) throw this.#tooLarge(bits);
      return fitting;
    }
    return nearerToTarget(attempt);
  }

  /**
   * A better budget for a picture whose bits were a guess: the first of its type, or one that begins a scene of another
   * kind. Its scale is chosen anew, from what it took.
   */
  #guessBetter(attempt: CodingAttempt, upcoming: UpcomingPictures): BudgetSettings | undefined {
    const { budget, bits, scale, attempts } = attempt;
    // If other pictures may have begun since, what is known now must not matter.
    if (this.#firstPass || !budget.isAwaited || budget.sparseCoding !== 'never') return undefined;
    const picture = upcoming.pictures[0]!;
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
    const better = { ...this.#chooseBudget(upcoming, before), anchorScale: budget.anchorScale };
    return isWorthwhile(better, attempt) ? better : undefined;
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
      result.stuffingBytes = deliveries.add(result.bits, wantedBits);
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

  #count(
    index: number,
    picture: UpcomingPicture,
    { budget, bits, scale, rows, stuffingBytes = 0 }: PictureResult,
  ): void {
    const { type, sparseCoding } = budget;
    if (sparseCoding === 'never' && index >= this.#sceneStart) {
      this.#firstPass?.learn(index, picture, bits, scale);
      this.#model.learn(picture, bits, scale);
      this.#profile.learn(type, rowComplexities(rows, bits));
    }
    this.#codedBits += bits + 8 * stuffingBytes;
    this.#buffer?.takeOut(bits + 8 * stuffingBytes);
    this.#reserve?.take(type);
    if (type !== 'B' && !this.#underWay.hasAnchor) this.#anchorScale = scale;
    this.#warning.add(picture, bits, scale, sparseCoding !== 'never');
  }

  /** A budget for the next picture after those with the budgets `before`, which are under way. */
  #chooseBudget(upcoming: UpcomingPictures, before: readonly BudgetSettings[]): BudgetSettings {
    const { type, errors } = upcoming.pictures[0]!;
    const forecast = this.#forecast(upcoming);
    const expectedBuffer = this.#buffer?.after(this.#underWay.expectedBits(before.length, this.#expectationOf));
    // Without errors the first scales are guesses. A first pass does not make up for them: even scales tell more.
    const paysDebt = !this.#isFirstPass || errors !== undefined;
    const sharedBits = this.#sharedBits(forecast, paysDebt ? this.#debtBits(before.length) : 0);
    const baseScale = this.#chooseBaseScale(forecast, expectedBuffer, sharedBits);
    this.#baseScales.take(type, baseScale);
    const steadyScale = meanPictureScale(type, baseScale);
    const freeBits = sharedBits - forecast.leastOtherBits;
    const target = pictureTarget({
      bitsAt: forecast.pictures[0]!.bitsAt,
      steadyScale,
      isKnown: this.#firstPass !== undefined || this.#model.hasLearned(type),
      freeBits,
      minBits: expectedBuffer?.minPictureBits ?? 0,
      limits: this.#limits(upcoming, before),
    });
    const { scale, targetBits } = target;
    const toleranceBits = this.#toleranceBits(forecast, before.length, targetBits);
    const isNearEnd = toleranceBits !== undefined;
    const isGuess = !this.#firstPass && !this.#isFamiliar(upcoming, steadyScale);
    return {
      ...target,
      type,
      rows: this.#rows,
      toleranceBits: toleranceBits ?? Number.POSITIVE_INFINITY,
      payableBits: isGuess ? Math.max(targetBits, freeBits) : Number.POSITIVE_INFINITY,
      plannedScale: scale,
      sparseCoding: 'never',
      mayBeRepeated: isGuess || isNearEnd || this.#buffer !== undefined,
      isAwaited: isGuess || isNearEnd,
      anchorScale: this.#anchorScale ?? scale,
      sharesAbove: this.#profile.sharesAbove(type),
    };
  }

  /** By how much the next picture may miss its target, if it is one of the last, for which that matters. */
  #toleranceBits({ pictures, reachesEnd }: Forecast, underWay: number, targetBits: number): number | undefined {
    if (this.#isFirstPass || !reachesEnd || pictures.length > LAST_PICTURES) return undefined;
    const wholeBits = this.#settings.pictureBits * (this.#underWay.counted + underWay + pictures.length);
    const toleranceBits = LAST_TOLERANCE * wholeBits;
    // In a long stream twice its target, or what a mean picture takes, is within the tolerance: nobody waits for it.
    return Math.max(targetBits, this.#settings.pictureBits) > toleranceBits ? toleranceBits : undefined;
  }

  /**
   * Whether what is known of the next picture's type holds for it. An I picture may begin a scene of another kind; one
   * whose errors are like those of the last does not. While the delay is short, all are waited for anyway.
   */
  #isFamiliar(upcoming: UpcomingPictures, scale: number): boolean {
    const picture = upcoming.pictures[0]!;
    if (picture.type !== 'I') return this.#model.hasLearned(picture.type);
    if (this.#buffer) return false;
    const longest = Math.min(fullFeedbackDelay(this.#feedbackKind), this.#underWay.next);
    return this.#delay(upcoming) === longest && this.#model.hasLearnedLike(picture, scale);
  }

  /** The limits of the next picture, if each of those with the budgets `before` takes all that it may. */
  #limits({ pictures, isEnd }: UpcomingPictures, before: readonly BudgetSettings[]): PictureLimits {
    if (!this.#buffer || !this.#reserve) return { maxBits: Number.POSITIVE_INFINITY, sparseBits: 0 };
    const bitsAfterwards = isEnd ? 0 : this.#reserve.bitsAfter([...before, ...pictures].map(({ type }) => type));
    const buffer = this.#buffer.after(before.map(({ maxBits }) => maxBits));
    return pictureLimits(buffer, pictures, bitsAfterwards, this.#shape);
  }

  #forecast(upcoming: UpcomingPictures): Forecast {
    if (this.#firstPass) return this.#firstPass.forecast(upcoming.pictures);
    return forecastUpcoming(upcoming, this.#model, this.#settings.gop);
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
