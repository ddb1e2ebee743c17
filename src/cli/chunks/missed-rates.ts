// What an encode by plan says of its bit rate: one line, however many of its chunks miss it.
import type { ChunkPlan } from '../../chunks/chunk-plan.js';
import { missedFactor, RATE_TOLERANCE, unusedRate } from '../../encoder/rate-control/rate-warning.js';
import type { EncoderStatistics } from '../../encoder/report/statistics.js';
import { log2 } from '../../portable-math.js';

/** The warnings of an encode by plan: those of the rate are kept for the end, all others go on to a listener. */
export class MissedRates {
  readonly #plan: ChunkPlan;
  readonly #warn: (message: string) => void;
  /** How many chunks miss their part of the rate, and the one that misses it by most. */
  #missed = 0;
  #worst = { index: 0, message: '', distance: -1 };

  constructor(plan: ChunkPlan, warn: (message: string) => void) {
    this.#plan = plan;
    this.#warn = warn;
  }

  /** Takes a warning of chunk `index`. */
  add(index: number, message: string): void {
    const factor = missedFactor(message);
    if (factor === undefined) {
      this.#warn(message);
      return;
    }
    this.#missed++;
    const distance = Math.abs(log2(factor));
    if (distance > this.#worst.distance) this.#worst = { index, message, distance };
  }

  /** The chunks so far have these statistics: warns, if they miss the rate. */
  end(coded: readonly EncoderStatistics[]): void {
    const message = this.#unusedRate(coded) ?? this.#worstOf(coded.length);
    if (message !== undefined) this.#warn(message);
  }

  #worstOf(chunks: number): string | undefined {
    const { index, message } = this.#worst;
    if (this.#missed === 0 || chunks === 1) return message || undefined;
    return `${this.#missed} of ${chunks} chunks miss the bit rate, chunk ${index} by most: ${message}`;
  }

  /** A warning if the budgets, which are what the finest scale takes at most, leave a part of the rate unused. */
  #unusedRate(coded: readonly EncoderStatistics[]): string | undefined {
    const { chunks, input, options } = this.#plan;
    if (options.bitrate === undefined) return undefined;
    const bitsOf = (frames: number) =>
      (options.bitrate! * frames * input.frameRate.denominator) / input.frameRate.numerator;
    if (sum(chunks.map(({ budget }) => budget!.bits)) >= (1 - RATE_TOLERANCE.two) * bitsOf(input.frames))
      return undefined;
    const factor = sum(coded.map(({ bits }) => bits)) / bitsOf(sum(coded.map(({ frames }) => frames)));
    return unusedRate(factor);
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
