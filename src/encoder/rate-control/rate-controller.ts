import type { FrameRate } from '../../bitstream/tables/frame-rate.js';
import { InputError } from '../../errors.js';
import type { MacroblockGrid } from '../../picture/picture.js';
import type { PlannedPicture } from '../gop/gop-plan.js';
import { MIN_BASE_SCALE, meanPictureScale } from '../quantizer/picture-scale.js';
import { FirstPassForecast } from './first-pass-forecast.js';
import { leastPictureBits, type PictureShape } from './least-picture.js';
import { type BudgetSettings, LOOSE_GRIP, PictureBudget, TIGHT_GRIP } from './picture-budget.js';
import { bitsAt, complexityOf, scaleFactorFor, TypeComplexity } from './picture-complexity.js';
import { type Forecast, forecastWindow } from './rate-forecast.js';
import { type RateSettings, SEQUENCE_END_BITS } from './rate-settings.js';
import { RowProfile } from './row-profile.js';
import { refilled, VbvBuffer } from './vbv-buffer.js';

/** What else the controller is made from: the pictures' size, their rate, and where slices start. */
export interface RateShape {
  readonly grid: MacroblockGrid;
  readonly frameRate: FrameRate;
  readonly sliceRows: readonly number[];
}

/** Furthest that the base scale moves from one picture to the next, where nothing forces it. */
const MAX_STEP = 1.3;
/** A picture is planned to take at most this part of what the buffer holds. */
const PLANNED_PART = 0.9;
/** An anchor further on wants its bits in the buffer, but no more than this part of its size. */
const WANTED_FULLNESS = 0.85;
/** This many pictures before the end, deviations can no longer be made up for later. */
const LAST_PICTURES = 6;
/** The last ones are coded again when they take more than this over their target. */
const LAST_TOLERANCE = 1.08;
/** The first picture of a type is coded again when its bits are this far from the guess; others need not be. */
const FIRST_GUESS_TOLERANCE = 1.35;
const MAX_GUESSES = 3;
/** A rate that was missed by more than this, most pictures being coded about as coarsely as there is, is worth a warning. */
const UNREACHABLE_PART = 0.03;
const NEARLY_COARSEST_SCALE = 29;
/** Attempts at a coarser scale before macroblocks are coded sparsely. */
const MAX_COARSER = 2;

/** Decides what each picture may cost, so that the whole keeps to its rate and the decoder's buffer is never short. */
export class RateController {
  readonly #settings: RateSettings;
  readonly #shape: PictureShape;
  readonly #rows: number;
  readonly #complexity: TypeComplexity;
  readonly #profile = new RowProfile();
  readonly #buffer: VbvBuffer | undefined;
  readonly #warn: (message: string) => void;
  #coded = 0;
  /** Pictures coded about as coarsely as there is. */
  #coarsest = 0;
  readonly #firstPass: FirstPassForecast | undefined;
  #bits = 0;
  #base: number | undefined;

  /** `warn` is told, once, of a rate that could not be kept to. */
  constructor(
    settings: RateSettings,
    { grid, frameRate, sliceRows }: RateShape,
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
  }

  /** Pictures in coded order that `begin` is to know of, the next one included. */
  get window(): number {
    return this.#settings.window;
  }

  /** vbv_delay of the next picture; `headerBits` of its access unit precede the picture header. */
  delayTicks(headerBits: number): number | undefined {
    return this.#buffer?.delayTicks(headerBits);
  }

  /** The budget of the next picture, the first of `upcoming`; `isEnd` where no others follow those. */
  begin(upcoming: readonly PlannedPicture[], isEnd: boolean): PictureBudget {
    const { type } = upcoming[0]!;
    const forecast = this.#forecast(upcoming, isEnd);
    const base = this.#withinBuffer(forecast, this.#steady(this.#baseFor(forecast)));
    this.#base = base;
    const complexity = forecast.pictures[0]!.complexity;
    const limitBits = this.#limitBits(upcoming);
    const wanted = Math.max(bitsAt(complexity, meanPictureScale(type, base)), this.#buffer?.leastPictureBits ?? 0);
    const targetBits = Math.min(wanted, PLANNED_PART * limitBits);
    const scale = clampScale(scaleFactorFor(complexity / targetBits));
    const isLast = forecast.isWhole && forecast.pictures.length <= LAST_PICTURES;
    const isNearLimit = targetBits < wanted || wanted > 0.7 * limitBits;
    const grip = isLast || isNearLimit ? TIGHT_GRIP : LOOSE_GRIP;
    return this.#budget({ type, rows: this.#rows, scale, targetBits, limitBits, grip, isLast, saving: 'never' });
  }

  /**
   * Another budget for the picture, which came to `bits` at a mean scale, or undefined to leave it at that. `attempts` have been
   * made before. Throws InputError when even the sparsest picture does not fit into the buffer.
   */
  retry(budget: PictureBudget, bits: number, scale: number, attempts: number): PictureBudget | undefined {
    const { settings } = budget;
    const { limitBits, targetBits, type, saving } = settings;
    if (bits > limitBits) {
      if (saving === 'always') throw this.#tooLarge(bits);
      if (saving === 'near-limit') return this.#budget({ ...settings, saving: 'always' });
      const coarser = clampScale(Math.max(scale + 1, scale * scaleFactorFor(bits / (PLANNED_PART * limitBits))));
      if (attempts < MAX_COARSER && scale < 30.5) {
        return this.#budget({ ...settings, scale: coarser, targetBits: PLANNED_PART * limitBits, grip: TIGHT_GRIP });
      }
      return this.#budget({ ...settings, scale: 31, saving: 'near-limit' });
    }
    if (settings.isLast && bits > LAST_TOLERANCE * targetBits && attempts < MAX_COARSER && scale < 30.5) {
      return this.#budget({ ...settings, scale: clampScale(scale * scaleFactorFor(bits / targetBits)) });
    }
    if (this.#complexity.knows(type) || this.#settings.firstPass || attempts >= MAX_GUESSES) return undefined;
    const ratio = bits / targetBits;
    if (Math.max(ratio, 1 / ratio) < FIRST_GUESS_TOLERANCE) return undefined;
    const better = clampScale(scaleFactorFor(complexityOf(bits, scale) / targetBits));
    return Math.abs(better / scale - 1) < 0.05 ? undefined : this.#budget({ ...settings, scale: better });
  }

  /** Takes note of the picture as it is; returns how many zero bytes have to follow it. `isLast`: no picture follows. */
  accept(budget: PictureBudget, bits: number, scale: number, isLast: boolean): number {
    const { type, saving } = budget.settings;
    const complexity = saving === 'never' ? complexityOf(bits, scale) : undefined;
    this.#firstPass?.advance(complexity);
    if (complexity !== undefined) {
      this.#complexity.learn(type, complexity);
      this.#profile.learn(type, budget.evenRowBits(bits));
    }
    const stuffing = this.#stuffingBytes(bits, isLast);
    this.#coded++;
    this.#bits += bits + 8 * stuffing;
    this.#buffer?.take(bits + 8 * stuffing);
    if (scale >= NEARLY_COARSEST_SCALE) this.#coarsest++;
    if (isLast) this.#warnIfUnreachable();
    return stuffing;
  }

  #budget(settings: BudgetSettings): PictureBudget {
    return new PictureBudget(settings, this.#profile);
  }

  #forecast(upcoming: readonly PlannedPicture[], isEnd: boolean): Forecast {
    const { gop } = this.#settings;
    return this.#firstPass?.forecast(upcoming[0]!) ?? forecastWindow(upcoming, isEnd, this.#complexity, gop);
  }

  /** Bits over what the pictures so far should have taken. */
  get #debt(): number {
    return this.#bits - this.#coded * this.#settings.pictureBits;
  }

  /** The P pictures' scale at which the pictures in sight use up what they may. */
  #baseFor({ complexities, count, debtShare }: Forecast): number {
    const even = count * this.#settings.pictureBits;
    const budget = Math.max(0.2 * even, even - debtShare * this.#debt);
    let [fine, coarse] = [MIN_BASE_SCALE, 31];
    for (let step = 0; step < 24; step++) {
      const middle = Math.sqrt(fine * coarse);
      let bits = 0;
      for (const [type, complexity] of complexities) bits += bitsAt(complexity, meanPictureScale(type, middle));
      if (bits > budget) fine = middle;
      else coarse = middle;
    }
    return coarse;
  }

  #steady(base: number): number {
    const last = this.#base;
    if (last === undefined || this.#coded < 4) return base;
    return Math.max(last / MAX_STEP, Math.min(last * MAX_STEP, base));
  }

  /** The base, coarser where the pictures in sight would otherwise find too little in the buffer. */
  #withinBuffer(forecast: Forecast, base: number): number {
    const { buffer } = this.#settings;
    if (!buffer || !this.#buffer) return base;
    let coarser = base;
    while (coarser < 31 && !this.#passesThrough(forecast, coarser)) coarser = Math.min(31, coarser * 1.04);
    return coarser;
  }

  #passesThrough({ pictures }: Forecast, base: number): boolean {
    const buffer = this.#settings.buffer!;
    let bits = this.#buffer!.bits;
    return pictures.every(({ type, complexity }) => {
      const needed = bitsAt(complexity, meanPictureScale(type, base));
      const isThere = bits >= Math.min(needed, WANTED_FULLNESS * buffer.sizeBits);
      bits = refilled(bits - Math.min(needed, bits), buffer);
      return isThere;
    });
  }

  /** What the next picture must not exceed, so that those in sight can follow in their sparsest form. */
  #limitBits(upcoming: readonly PlannedPicture[]): number {
    const { buffer } = this.#settings;
    if (!buffer || !this.#buffer) return Number.POSITIVE_INFINITY;
    let reserve = 0;
    let needed = 0;
    upcoming.slice(1).forEach(({ type }, index) => {
      needed += leastPictureBits(type, this.#shape);
      reserve = Math.max(reserve, needed - (index + 1) * buffer.fillBits);
    });
    const least = leastPictureBits(upcoming[0]!.type, this.#shape);
    const there = this.#buffer.bits - SEQUENCE_END_BITS;
    return Math.min(there, Math.max(least, there - reserve));
  }

  /** Stuffing keeps the buffer from overflowing at constant rate; after the last picture it makes up what is missing. */
  #stuffingBytes(bits: number, isLast: boolean): number {
    const buffer = this.#buffer;
    if (!buffer || !this.#settings.buffer?.isConstantRate) return 0;
    const missing = isLast
      ? Math.min(this.#settings.pictureBits - this.#debt, buffer.bits - SEQUENCE_END_BITS) - bits
      : 0;
    return Math.max(0, Math.ceil((buffer.leastPictureBits - bits) / 8), Math.floor(missing / 8));
  }

  #warnIfUnreachable(): void {
    const factor = this.#bits / (this.#coded * this.#settings.pictureBits);
    if (factor <= 1 + UNREACHABLE_PART || this.#coarsest < this.#coded / 2) return;
    this.#warn(
      `the bit rate is too low: the stream takes ${factor.toFixed(2)} times as much, quantizer_scale 31 being the coarsest`,
    );
  }

  #tooLarge(bits: number): InputError {
    const room = Math.floor((this.#buffer?.bits ?? 0) / 8);
    const what = `picture ${this.#coded} takes ${Math.ceil(bits / 8)} bytes at the least, the decoder's buffer holds ${room}`;
    return new InputError(`${what}: a higher bit rate, a larger buffer or longer groups are needed`);
  }
}

function clampScale(scale: number): number {
  return Math.max(1, Math.min(31, scale));
}
