import type { EstimatorParameters, LumaPicture, MotionField } from '../../motion/estimator.js';
import { type ChosenEstimator, createEstimator } from '../../motion/registry.js';
import type { Picture } from '../../picture/picture.js';
import type { EncoderSettings } from '../settings/resolve-options.js';
import { keepingEventLoopAlive } from '../wakeup.js';

/** What the motion search has cost so far. */
export interface MotionStatistics {
  /** Time the coder waited for fields that were not ready, in milliseconds. */
  readonly waitMs: number;
  /** Time spent searching, in whatever thread or device, in milliseconds. */
  readonly busyMs: number;
  /** Fields used. */
  readonly pictures: number;
}

/** A field that has been asked for. */
export interface RequestedField {
  /** The field; the time spent waiting here counts as waitMs. */
  take(): Promise<MotionField>;
}

/**
 * Has motion searched ahead of the coder, where the estimator works beside it, or on demand, where it does not. Searches may
 * be asked for while the estimator is still being made, which takes a GPU some tenths of a second.
 */
export class MotionPipeline {
  readonly #chosen: Promise<ChosenEstimator>;
  /** What `#chosen` has given. */
  #made: ChosenEstimator | undefined;
  readonly #ahead: boolean;
  #waitMs = 0;
  #busyMs = 0;
  #pictures = 0;

  /** Starts to make the estimator that the options name. `onWarning` is told of faults that it survives. */
  constructor(options: EncoderSettings, onWarning?: (message: string) => void) {
    const parameters: EstimatorParameters = {
      width: options.grid.codedWidth,
      height: options.grid.codedHeight,
      metric: options.metric,
      blockSize: 16,
      range: options.range,
      candidatesPerBlock: options.candidates,
      lambda: 0,
    };
    this.#ahead = options.threads > 1;
    const chosen = createEstimator(options.estimator, parameters, {
      threads: options.threads - 1,
      kernels: options.kernels,
      ...(onWarning && { onWarning }),
    });
    this.#chosen = keepingEventLoopAlive(chosen);
    this.#chosen.then(
      made => {
        this.#made = made;
      },
      () => {}, // `ready`, the fields and `close` tell of it
    );
  }

  /** Resolves when the estimator is made; rejects with OptionError or UnsupportedError where it cannot be. */
  async ready(): Promise<void> {
    await this.#chosen;
  }

  /** What runs: the estimator's name and its device, and what `auto` could not take; undefined until it is made. */
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

  /** Asks for the motion of `current` from `reference`: at once, or not before it is taken. */
  request(current: Picture, reference: Picture): RequestedField {
    const search = async () => {
      const { estimator } = this.#made ?? (await this.#chosen);
      return estimator.estimate({ current: luma(current), reference: luma(reference) });
    };
    if (!this.#ahead) return { take: () => this.#timed(search()) };
    const field = search();
    field.catch(() => {}); // whoever takes it will see the failure
    return { take: () => this.#timed(field) };
  }

  /** Closes the estimator, once it is made; rejects like `ready` where it cannot be. */
  async close(): Promise<void> {
    const { estimator } = await this.#chosen;
    await estimator.close();
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
