// What a decoder's buffer demands of accepted pictures, in coded order: stuffing and vbv_delay.

import type { BufferSettings } from '../rate-settings.js';
import { stuffingBytes } from './buffer-limits.js';
import { VbvBuffer, vbvDelayTicks } from './vbv-buffer.js';

/** What the buffer demands of a picture. */
export interface Delivery {
  /** Zero bytes that must follow it. */
  readonly stuffingBytes: number;
  readonly delayTicks: number;
}

/** Pictures that are accepted and have not been handed out. */
export class Deliveries {
  readonly #buffer: VbvBuffer;
  readonly #picturesPerSecond: number;
  /** By coded number. */
  readonly #open = new Map<number, { readonly stuffingBytes: number; readonly fullnessBits: number }>();
  #next = 0;

  constructor(settings: BufferSettings, picturesPerSecond: number) {
    this.#buffer = new VbvBuffer(settings);
    this.#picturesPerSecond = picturesPerSecond;
  }

  /** Coded number of the picture that is added next. */
  get next(): number {
    return this.#next;
  }

  /**
   * Adds the next picture; returns how many zero bytes must follow its `bits`. With them it has `wantedBits`, as far as
   * the buffer allows.
   */
  add(bits: number, wantedBits: number): number {
    const stuffing = stuffingBytes(this.#buffer, bits, wantedBits);
    this.#open.set(this.#next++, { stuffingBytes: stuffing, fullnessBits: this.#buffer.fullnessBits });
    this.#buffer.takeOut(bits + 8 * stuffing);
    return stuffing;
  }

  /** What an added picture needs, once; its picture header follows `headerBits` of its access unit. */
  take(codedNumber: number, headerBits: number): Delivery {
    const { stuffingBytes, fullnessBits } = this.#open.get(codedNumber)!;
    this.#open.delete(codedNumber);
    const delayTicks = vbvDelayTicks(this.#buffer.settings, fullnessBits, headerBits, this.#picturesPerSecond);
    return { stuffingBytes, delayTicks };
  }
}
