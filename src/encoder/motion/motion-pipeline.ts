// Makes the estimator, asks it for motion, and says who searched, how long, and how long the coder waited.

import type { LumaPicture, MotionField, StartField } from '../../motion/estimator.js';
import { type ChosenEstimator, createEstimator } from '../../motion/registry.js';
import type { Picture } from '../../picture/picture.js';
import { keepingEventLoopAlive } from '../event-loop.js';
import type { EncoderSettings } from '../settings/resolve-options.js';
import { searchParameters } from './search-parameters.js';

/** The time that the motion search has taken so far. */
export interface MotionStatistics {
  /** Time in which the coder waited for motion, in milliseconds: for a field, or for a plan that waited for one. */
  readonly waitMs: number;
  /** The part of it in which the estimator was still being made. */
  readonly setupWaitMs: number;
  /** Time until the estimator was made, in milliseconds. */
  readonly setupMs: number;
  /** Time in which the estimator searched, on any thread or device, in milliseconds. */
  readonly busyMs: number;
  /** Fields that the estimator has answered: for the plan, for the coder or for both. */
  readonly pictures: number;
}

/** A field that has been asked for. */
export interface RequestedField {
  /** The field; the time until it is there counts as waitMs. */
  take(): Promise<MotionField>;
}

/**
 * Makes the estimator and hands it its searches. They may be asked for before it is made: a GPU takes some tenths of a
 * second.
 */
export class MotionPipeline {
  /** Whether the estimator works beside the coder: what is asked for early is there when it is needed. */
  readonly searchesAhead: boolean;
  readonly #startMs = performance.now();
  readonly #chosen: Promise<ChosenEstimator>;
  /** The result of `#chosen`, once it is there, and when it came. */
  #made: ChosenEstimator | undefined;
  #madeMs = Number.POSITIVE_INFINITY;
  #waitMs = 0;
  #setupWaitMs = 0;
  #busyMs = 0;
  #pictures = 0;
  /** Open searches by the id of a picture that they read. */
  readonly #readers = new Map<number, number>();

  /**
   * Starts to make the estimator that the options name; `signal` gives up. `onWarning` is told of faults that the
   * estimator survives.
   */
  constructor(options: EncoderSettings, onWarning?: (message: string) => void, signal?: AbortSignal) {
    this.searchesAhead = options.threads > 1;
    const chosen = createEstimator(options.estimator, searchParameters(options), {
      threads: options.threads - 1,
      kernels: options.kernels,
      onWarning,
      signal,
    });
    this.#chosen = keepingEventLoopAlive(chosen);
    this.#chosen.then(
      made => {
        this.#made = made;
        this.#madeMs = performance.now();
      },
      () => {}, // `ready`, the fields and `close` reject
    );
  }

  /** Resolves when the estimator is made; rejects with OptionError or UnsupportedError if it cannot be made. */
  async ready(): Promise<void> {
    await this.#chosen;
  }

  /** Whether the estimator reads the start of a request. Rejects like `ready`. */
  async usesStart(): Promise<boolean> {
    const { estimator } = this.#made ?? (await this.#chosen);
    return estimator.traits.usesStart === true;
  }

  /** The estimator's name, its device, and what `auto` could not take; undefined until the estimator is made. */
  get estimator():
    | ({ readonly name: string; readonly device: string } & Pick<ChosenEstimator, 'passedOver'>)
    | undefined {
    if (!this.#made) return undefined;
    const { estimator, passedOver } = this.#made;
    return { name: estimator.traits.name, device: estimator.device, passedOver };
  }

  get statistics(): MotionStatistics {
    const own = this.#made?.estimator.statistics?.();
    return {
      waitMs: this.#waitMs,
      setupWaitMs: this.#setupWaitMs,
      setupMs: Math.min(this.#madeMs, performance.now()) - this.#startMs,
      busyMs: own?.busyMs ?? this.#busyMs,
      pictures: this.#pictures,
    };
  }

  /** The motion of `current` from `reference`, searched from now on. */
  async search(current: Picture, reference: Picture, start?: StartField): Promise<MotionField> {
    this.#read(current, reference, 1);
    try {
      const { estimator } = this.#made ?? (await this.#chosen);
      const startMs = performance.now();
      const request = { current: luma(current), reference: luma(reference) };
      const field = await estimator.estimate(start ? { ...request, start } : request);
      this.#busyMs += performance.now() - startMs;
      this.#pictures++;
      return field;
    } finally {
      this.#read(current, reference, -1);
    }
  }

  /** The motion of `current` from `reference`, searched from now on, or not before it is taken. */
  request(current: Picture, reference: Picture): RequestedField {
    if (!this.searchesAhead) return { take: () => this.#awaited(this.search(current, reference)) };
    const field = this.search(current, reference);
    field.catch(() => {}); // `take` rejects
    return { take: () => this.#awaited(field) };
  }

  /** Whether a search that reads the picture with this id is under way. */
  isReading(id: number): boolean {
    return this.#readers.has(id);
  }

  /** The coder has waited for motion, `waitedMs` until now. */
  addWait(waitedMs: number): void {
    const endMs = performance.now();
    this.#waitMs += waitedMs;
    this.#setupWaitMs += Math.max(0, Math.min(endMs, this.#madeMs) - (endMs - waitedMs));
  }

  /** Closes the estimator as soon as it is made, if it is; rejects as the estimator does. */
  async close(): Promise<void> {
    const made = await this.#chosen.catch(() => undefined); // `ready` rejects
    await made?.estimator.close();
  }

  async #awaited(field: Promise<MotionField>): Promise<MotionField> {
    const startMs = performance.now();
    const result = await field;
    this.addWait(performance.now() - startMs);
    return result;
  }

  #read(current: Picture, reference: Picture, change: number): void {
    for (const { id } of [current, reference]) {
      const readers = (this.#readers.get(id) ?? 0) + change;
      if (readers > 0) this.#readers.set(id, readers);
      else this.#readers.delete(id);
    }
  }
}

function luma(picture: Picture): LumaPicture {
  return { id: picture.id, width: picture.grid.codedWidth, height: picture.grid.codedHeight, pels: picture.y };
}
