// Gives the pictures of a live encode their bits: nothing is known of those to come.
import type { PictureType } from '../../bitstream/picture-type.js';
import type { InputError, OptionNaming } from '../../errors.js';
import { clampScale, meanPictureScale } from '../quantizer/picture-scale.js';
import { BaseScaleSteps } from '../rate-control/base-scale-steps.js';
import { pictureLimits } from '../rate-control/buffer/buffer-limits.js';
import { Deliveries, type Delivery } from '../rate-control/buffer/deliveries.js';
import { type PictureShape, pictureShape } from '../rate-control/buffer/sparse-picture.js';
import type { SparseReserve } from '../rate-control/buffer/sparse-reserve.js';
import { tooLargePicture } from '../rate-control/buffer/too-large-picture.js';
import { VbvBuffer } from '../rate-control/buffer/vbv-buffer.js';
import { BitModel, type UpcomingPicture, type UpcomingPictures } from '../rate-control/forecast/bit-model.js';
import { scaleFactorFor } from '../rate-control/forecast/picture-complexity.js';
import { baseScaleFor, scaleFor } from '../rate-control/forecast/rate-forecast.js';
import { type BudgetSettings, type RowCorrection, rowComplexities } from '../rate-control/picture-budget.js';
import type { CodingAttempt, PictureRate } from '../rate-control/picture-rate.js';
import type { PictureResult } from '../rate-control/pictures-under-way.js';
import type { RateShape } from '../rate-control/rate-controller.js';
import type { RateSettings } from '../rate-control/rate-settings.js';
import { RowProfile } from '../rate-control/row-profile.js';
import { liveReserve, liveReserveBits } from './live-reserve.js';

// None of the following but the rows' factors is measured by itself; docs/decisions/low-latency.md has what they give
// together.
/** Pictures over which a difference from the wanted fullness is made up for, where no I picture is due before. */
const PAYBACK_PICTURES = 24;
/** How full the buffer is to be then, as a part of its size. */
const WANTED_FULLNESS = 0.8;
/** Fuller than this part it must not become before an I picture: what a full buffer cannot take is lost. */
const MAX_FULLNESS = 0.97;
/** Pictures' worth of bits that an I picture leaves beside the reserve. */
const LEFT_AFTER_INTRA = 0.5;
/** A picture's target is at most this part of its limit. */
const MAX_LIVE_TARGET_PART = 0.85;
/** With a target above this part of its limit, a picture keeps tightly to it. */
const TIGHT_LIVE_TARGET_PART = 0.6;
/**
 * How rows answer to the bits of the rows above them: no picture is to be coded twice. They are hardly made finer,
 * since lambda is that of the picture scale: it would leave nothing of what finer scales keep.
 */
const STEADY_ROWS: RowCorrection = { exponent: 1, maxFactor: 1.5, maxDivisor: 1.1 };
const TIGHT_ROWS: RowCorrection = { exponent: 2, maxFactor: 6, maxDivisor: 1.1 };
/** The first picture, whose bits are a guess, is coded again if they are so many times too many or too few. */
const MAX_FIRST_ERROR = 1.4;

/**
 * Chooses a scale at which pictures like this one, and the next I picture, take what the decoder's buffer receives
 * until that one is taken out. So the buffer is full before an I picture, and the scale hardly changes. The rows of a
 * picture keep it below its limit; it is coded again only where they could not.
 */
export class LiveRate implements PictureRate {
  readonly window = 0;
  readonly acceptedPictures = 0;
  readonly #buffer: VbvBuffer;
  /** The same buffer if no more than the mean rate came in: pictures are planned by it. */
  readonly #meanBuffer: VbvBuffer;
  readonly #deliveries: Deliveries;
  readonly #shape: PictureShape;
  /** What is kept for pictures to come, and what a full reserve leaves after a picture. */
  readonly #reserve: SparseReserve;
  readonly #reserveBits: number;
  readonly #rows: number;
  readonly #model: BitModel;
  readonly #profile = new RowProfile();
  readonly #baseScales = new BaseScaleSteps();
  /** The newest I picture; a coming one is taken to be like it. */
  #intra: UpcomingPicture | undefined;
  /** The newest P picture. */
  #predicted: UpcomingPicture | undefined;
  #pictures = 0;
  /** Frames of the group so far: repetitions make it longer. */
  #sinceIntra = 0;
  #anchorScale: number | undefined;

  /** `settings` must have a buffer. */
  constructor(settings: RateSettings, shape: RateShape) {
    const { grid, frameRate, sliceRows } = shape;
    const buffer = settings.buffer!;
    this.#buffer = new VbvBuffer(buffer);
    this.#meanBuffer = new VbvBuffer({ ...buffer, fillBits: settings.pictureBits });
    this.#deliveries = new Deliveries(buffer, frameRate.numerator / frameRate.denominator);
    const { gop, refreshed } = settings;
    this.#shape = pictureShape(grid, sliceRows.length, gop, refreshed);
    this.#reserve = liveReserve(buffer, this.#shape);
    this.#reserveBits = liveReserveBits(buffer.fillBits, this.#shape);
    this.#rows = grid.mbHeight;
    this.#model = new BitModel(this.#shape, 'prompt');
  }

  /** Pictures are coded one after the other. */
  neededPictures(): number {
    return 0;
  }

  begin({ pictures }: Pick<UpcomingPictures, 'pictures'>): BudgetSettings {
    const picture = pictures[0]!;
    const { type } = picture;
    if (type === 'I') {
      this.#intra = picture;
      this.#sinceIntra = 0;
    } else this.#predicted = picture;
    const { maxBits } = pictureLimits(this.#buffer, [picture], this.#reserve.bitsAfter([type]), this.#shape);
    const bitsAt = this.#model.bitsOf(picture);
    const baseScale = this.#baseScales.nearest(type, this.#pictures, this.#wantedScale(picture));
    this.#baseScales.take(type, baseScale);
    const steadyScale = meanPictureScale(type, baseScale);
    const wantedBits = Math.max(bitsAt(steadyScale), this.#buffer.minPictureBits);
    const targetBits = Math.min(wantedBits, MAX_LIVE_TARGET_PART * maxBits);
    const scale = targetBits === bitsAt(steadyScale) ? steadyScale : scaleFor(bitsAt, targetBits);
    return {
      type,
      rows: this.#rows,
      scale,
      targetBits,
      maxBits,
      correction: targetBits > TIGHT_LIVE_TARGET_PART * maxBits ? TIGHT_ROWS : STEADY_ROWS,
      toleranceBits: Number.POSITIVE_INFINITY,
      payableBits: Number.POSITIVE_INFINITY,
      plannedScale: scale,
      sparseCoding: 'never',
      mayBeRepeated: true,
      isAwaited: true,
      anchorScale: this.#anchorScale ?? scale,
      sharesAbove: this.#profile.sharesAbove(type) ?? evenShares(this.#rows),
    };
  }

  retry(attempt: CodingAttempt, upcoming: Pick<UpcomingPictures, 'pictures'>): BudgetSettings | undefined {
    const { budget, bits, scale, attempts } = attempt;
    if (bits > budget.maxBits) return this.#fittingBudget(attempt);
    const error = Math.max(bits / budget.targetBits, budget.targetBits / bits);
    if (this.#pictures > 0 || attempts > 0 || error < MAX_FIRST_ERROR) return undefined;
    this.#model.suppose(upcoming.pictures[0]!, bits, scale);
    return this.begin(upcoming);
  }

  /** A budget for a picture that exceeded its limit: coarser, and sparse near the limit; then sparse throughout. */
  #fittingBudget({ budget, bits, scale }: CodingAttempt): BudgetSettings {
    const { maxBits, sparseCoding } = budget;
    if (sparseCoding === 'always') throw this.#tooLarge(bits);
    if (sparseCoding === 'near-limit') return { ...budget, sparseCoding: 'always' };
    const targetBits = MAX_LIVE_TARGET_PART * maxBits;
    const coarser = clampScale(scale * scaleFactorFor(bits / targetBits));
    return { ...budget, scale: coarser, targetBits, correction: TIGHT_ROWS, sparseCoding: 'near-limit' };
  }

  accept(_: number, { bits, scale, rows, budget }: PictureResult): void {
    const { type, sparseCoding } = budget;
    if (sparseCoding === 'never') {
      this.#model.learn(type === 'I' ? this.#intra! : this.#predicted!, bits, scale);
      this.#profile.learn(type, rowComplexities(rows, bits));
    }
    this.#anchorScale = scale;
    this.#sinceIntra++;
    this.#take(type, bits);
  }

  acceptRepetition(bits: number): void {
    this.#take('P', bits);
  }

  deliver(_: number, headerBits: number): Delivery {
    return this.#deliveries.take(this.#pictures - 1, headerBits);
  }

  /** Takes a picture out of the buffers and the reserve. */
  #take(type: PictureType, bits: number): void {
    this.#reserve.take(type);
    const wholeBits = bits + 8 * this.#deliveries.add(bits, 0);
    this.#buffer.takeOut(wholeBits);
    this.#meanBuffer.takeOut(wholeBits);
    this.#pictures++;
  }

  /** The base scale at which pictures like this one, and the next I picture, take what the buffer has for them. */
  #wantedScale(picture: UpcomingPicture): number {
    const { fullnessBits, settings } = this.#meanBuffer;
    const { fillBits, sizeBits } = settings;
    const { gop, refreshed } = this.#shape;
    // An I picture may be overdue: it waits until the reserve holds it.
    const untilIntra = refreshed ? Number.POSITIVE_INFINITY : Math.max(1, gop - this.#sinceIntra);
    const ownBits = this.#model.bitsOf(picture);
    const predictedBits = this.#model.bitsOf(this.#predicted ?? { ...picture, type: 'P', errors: undefined });
    if (untilIntra > PAYBACK_PICTURES || !this.#intra) {
      const bits = fullnessBits - WANTED_FULLNESS * sizeBits + PAYBACK_PICTURES * fillBits;
      return baseScaleFor(scale => ownBits(scale) + (PAYBACK_PICTURES - 1) * predictedBits(scale), bits);
    }
    const intraBits = this.#model.bitsOf(this.#intra);
    const maxIntraBits = MAX_LIVE_TARGET_PART * (sizeBits - this.#reserveBits);
    const leastBits = Math.min(this.#reserveBits + LEFT_AFTER_INTRA * fillBits, MAX_FULLNESS * sizeBits - maxIntraBits);
    const bits = fullnessBits - leastBits + untilIntra * fillBits;
    return baseScaleFor(
      scale => ownBits(scale) + (untilIntra - 1) * predictedBits(scale) + Math.min(maxIntraBits, intraBits(scale)),
      bits,
    );
  }

  #tooLarge(bits: number): InputError {
    const remedies = (named: OptionNaming) => `${named('bitrate')} or ${named('vbvBytes')}`;
    return tooLargePicture(this.#pictures, bits, this.#buffer.fullnessBits, remedies);
  }
}

/** Where nothing is known of rows: each row's share of the picture that lies above it. */
function evenShares(rows: number): Float64Array {
  return Float64Array.from({ length: rows }, (_, row) => row / rows);
}
