// The coder's side of the motion search: asks for fields, and measures how long the coder waits for them.

import type { MotionField, StartField } from '../../motion/estimator.js';
import type { Picture } from '../../picture/picture.js';
import { type EstimatorInfo, lumaOf, type MotionSource, type SearchWork } from './motion-search.js';
import type { ProposedField } from './vector-proposals.js';

/** The time that the motion search has taken so far. */
export interface MotionStatistics extends SearchWork {
  /** Time in which the coder waited for motion, in milliseconds: for a field, or for a plan that waited for one. */
  readonly waitMs: number;
  /** The part of it in which the estimator was still being made. */
  readonly setupWaitMs: number;
  /** Time until the estimator was made, in milliseconds. */
  readonly setupMs: number;
}

/** A field that has been asked for. */
export interface RequestedField<Field = ProposedField | undefined> {
  /** The field; the time until it is there counts as waitMs. */
  take(): Promise<Field>;
  /** The field, for whoever is not the coder, such as a search that starts from it: no time counts. */
  find(): Promise<Field>;
}

/** Where a search starts, if the estimator reads that. */
export type SearchStart = () => Promise<StartField | undefined>;

/** Asks a motion source for what the coder needs, and measures how long the coder waits for it. */
export class MotionPipeline {
  readonly #source: MotionSource;
  readonly #startMs: number;
  #madeMs = Number.POSITIVE_INFINITY;
  #waitMs = 0;
  #setupWaitMs = 0;
  #closed: Promise<void> | undefined;

  /** `startMs`: when the estimator began to be made, by the clock of `performance`. */
  constructor(source: MotionSource, startMs: number) {
    this.#source = source;
    this.#startMs = startMs;
    source.ready().then(
      () => {
        this.#madeMs = performance.now();
      },
      () => {}, // whoever waits for the estimator is told
    );
  }

  /** See {@link MotionSource}. */
  get searchesAhead(): boolean {
    return this.#source.searchesAhead;
  }

  get estimator(): EstimatorInfo | undefined {
    return this.#source.estimator;
  }

  get statistics(): MotionStatistics {
    return {
      waitMs: this.#waitMs,
      setupWaitMs: this.#setupWaitMs,
      setupMs: Math.min(this.#madeMs, performance.now()) - this.#startMs,
      ...this.#source.work,
    };
  }

  /** The motion of `current` from `reference`, searched from now on, or not before it is taken. */
  request(current: Picture, reference: Picture, start?: SearchStart): RequestedField<MotionField> {
    return this.#requested(() => this.#search(current, reference, start));
  }

  /** As `request` if `isNeeded` resolves with true; else the field is undefined. */
  requestIf(
    isNeeded: () => Promise<boolean>,
    current: Picture,
    reference: Picture,
    start: SearchStart,
  ): RequestedField<MotionField | undefined> {
    return this.#requested(async () => ((await isNeeded()) ? this.#search(current, reference, start) : undefined));
  }

  /** Whether the picture with this display number may still be read by a search. */
  isReading(displayNumber: number): boolean {
    return this.#source.isReading(displayNumber);
  }

  /** The coder has waited for motion, `waitedMs` until now. */
  addWait(waitedMs: number): void {
    const endMs = performance.now();
    this.#waitMs += waitedMs;
    this.#setupWaitMs += Math.max(0, Math.min(endMs, this.#madeMs) - (endMs - waitedMs));
  }

  /** Closes the estimator as soon as it is made, if it is; rejects as the estimator does. */
  close(): Promise<void> {
    this.#closed ??= this.#source.close();
    return this.#closed;
  }

  #requested<Field>(find: () => Promise<Field>): RequestedField<Field> {
    let field: Promise<Field> | undefined;
    // Let go once it is asked: it holds the field that it starts from, and that the one before.
    let ask: (() => Promise<Field>) | undefined = find;
    const search = () => {
      field ??= ask!();
      ask = undefined;
      return field;
    };
    if (this.searchesAhead) search().catch(() => {}); // `take` rejects
    return { take: () => this.#awaited(search()), find: search };
  }

  async #search(current: Picture, reference: Picture, start?: SearchStart): Promise<MotionField> {
    const from = start && (await this.#source.usesStart()) ? await start() : undefined;
    return this.#source.search(lumaOf(current), lumaOf(reference), from);
  }

  async #awaited<Field>(field: Promise<Field>): Promise<Field> {
    const startMs = performance.now();
    const result = await field;
    this.addWait(performance.now() - startMs);
    return result;
  }
}
