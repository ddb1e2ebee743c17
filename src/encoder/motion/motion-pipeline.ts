// Asks the estimator for motion: ahead of the coder if the estimator works beside it, on demand if not.

import type { LumaPicture, MotionField } from '../../motion/estimator.js';
import { type ChosenEstimator, createEstimator } from '../../motion/registry.js';
import type { Picture } from '../../picture/picture.js';
import { keepingEventLoopAlive } from '../event-loop.js';
import type { EncoderSettings } from '../settings/resolve-options.js';
import { searchParameters } from './search-parameters.js';

/** The time that the motion search has taken so far. */
export interface MotionStatistics {
  /** Time in which the coder waited for fields, in milliseconds. */
  readonly waitMs: number;
  /** Time in which the estimator searched, on any thread or device, in milliseconds. */
  readonly busyMs: number;
  /** Fields that the coder has taken. */
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
  readonly #chosen: Promise<ChosenEstimator>;
  /** The result of `#chosen`, once it is there. */
  #made: ChosenEstimator | undefined;
  readonly #searchesAhead: boolean;
  #waitMs = 0;
  #busyMs = 0;
  #pictures = 0;

  /**
   * Starts to make the estimator that the options name; `signal` gives up. `onWarning` is told of faults that the
   * estimator survives.
   */
  constructor(options: EncoderSettings, onWarning?: (message: string) => void, signal?: AbortSignal) {
    this.#searchesAhead = options.threads > 1;
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
      },
      () => {}, // `ready`, the fields and `close` reject
    );
  }

  /** Resolves when the estimator is made; rejects with OptionError or UnsupportedError if it cannot be made. */
  async ready(): Promise<void> {
    await this.#chosen;
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
    return { waitMs: this.#waitMs, busyMs: own?.busyMs ?? this.#busyMs, pictures: this.#pictures };
  }

  /** The motion of `current` from `reference`, searched from now on, or not before it is taken. */
  request(current: Picture, reference: Picture): RequestedField {
    const search = async () => {
      const { estimator } = this.#made ?? (await this.#chosen);
      return estimator.estimate({ current: luma(current), reference: luma(reference) });
    };
    if (!this.#searchesAhead) return { take: () => this.#timed(search()) };
    const field = search();
    field.catch(() => {}); // `take` rejects
    return { take: () => this.#timed(field) };
  }

  /** Closes the estimator as soon as it is made, if it is; rejects as the estimator does. */
  async close(): Promise<void> {
    const made = await this.#chosen.catch(() => undefined); // `ready` rejects
    await made?.estimator.close();
  }

  async #timed(field: Promise<MotionField>): Promise<MotionField> {
    const start = performance.now();
    const result = await field;
    const waited = performance.now() - start;
    this.#waitMs += waited;
    this.#busyMs += waited;
    this.#pictures++;
    return result;
  }
}

function luma(picture: Picture): LumaPicture {
  return { id: picture.id, width: picture.grid.codedWidth, height: picture.grid.codedHeight, pels: picture.y };
}
