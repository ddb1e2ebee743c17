import type { EstimatorParameters, LumaPicture, MotionEstimator, MotionField } from '../motion/estimator.js';
import { type ChosenEstimator, createEstimator } from '../motion/registry.js';
import type { Picture } from '../picture/picture.js';
import type { ResolvedOptions } from './options.js';

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

/** Has motion searched ahead of the coder, where the estimator works beside it, or on demand, where it does not. */
export class MotionPipeline {
  readonly #estimator: MotionEstimator;
  readonly #passedOver: ChosenEstimator['passedOver'];
  readonly #ahead: boolean;
  #waitMs = 0;
  #busyMs = 0;
  #pictures = 0;

  private constructor({ estimator, passedOver }: ChosenEstimator, ahead: boolean) {
    this.#estimator = estimator;
    this.#passedOver = passedOver;
    this.#ahead = ahead;
  }

  /** Makes the estimator that the options name. `onWarning` is told of faults that it survives. */
  static async create(options: ResolvedOptions, onWarning?: (message: string) => void): Promise<MotionPipeline> {
    const parameters: EstimatorParameters = {
      width: options.grid.codedWidth,
      height: options.grid.codedHeight,
      metric: options.metric,
      blockSize: 16,
      range: options.range,
      candidatesPerBlock: options.candidates,
      lambda: 0,
    };
    const ahead = options.threads > 1;
    const chosen = await createEstimator(options.estimator, parameters, {
      threads: options.threads - 1,
      kernels: options.kernels,
      ...(onWarning && { onWarning }),
    });
    return new MotionPipeline(chosen, ahead);
  }

  /** What runs: the estimator's name and its device, and what `auto` could not take. */
  get estimator(): { readonly name: string; readonly device: string } & Pick<ChosenEstimator, 'passedOver'> {
    return { name: this.#estimator.traits.name, device: this.#estimator.device, passedOver: this.#passedOver };
  }

  get statistics(): MotionStatistics {
    const own = this.#estimator.statistics?.();
    return { waitMs: this.#waitMs, busyMs: own?.busyMs ?? this.#busyMs, pictures: this.#pictures };
  }

  /** Asks for the motion of `current` from `reference`: at once, or not before it is taken. */
  request(current: Picture, reference: Picture): RequestedField {
    const search = () => this.#estimator.estimate({ current: luma(current), reference: luma(reference) });
    if (!this.#ahead) return { take: () => this.#timed(search()) };
    const field = search();
    field.catch(() => {}); // whoever takes it will see the failure
    return { take: () => this.#timed(field) };
  }

  async close(): Promise<void> {
    await this.#estimator.close();
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
