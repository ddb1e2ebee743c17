// Makes the estimator and asks it for the motion of pictures.

import type { EstimateRequest, LumaPicture, MotionField, StartField } from '../../motion/estimator.js';
import { type ChosenEstimator, createEstimator } from '../../motion/registry.js';
import { createInThisThread } from '../../motion/this-thread.js';
import type { Picture } from '../../picture/picture.js';
import type { AbortSignalType } from '../../platform-types.js';
import type { ThreadKeeper, ThreadSource } from '../../threads/thread-messages.js';
import { keepingEventLoopAlive } from '../event-loop.js';
import type { EncoderSettings } from '../settings/resolve-options.js';
import { searchParameters } from './search-parameters.js';
import { StandIn } from './stand-in.js';

/** Coder threads to one that searches motion: coding takes a few times as long as the search of most estimators. */
const CODERS_PER_SEARCHER = 3;

/** Who searches: the estimator's name, its device, and what `auto` could not take. */
export interface EstimatorInfo extends Pick<ChosenEstimator, 'passedOver'> {
  readonly name: string;
  readonly device: string;
}

/** What has been searched so far. */
export interface SearchWork {
  /** Time in which the estimator searched, on any thread or device, in milliseconds. */
  readonly busyMs: number;
  /** Fields that the estimator has answered: for the plan, for the coder or for both. */
  readonly pictures: number;
}

/** An estimator that is being made, in this thread or behind another one. */
export interface MotionSource {
  /** Whether the estimator works beside the coder: what is asked for early is there when it is needed. */
  readonly searchesAhead: boolean;
  /** Undefined until the estimator is made. */
  readonly estimator: EstimatorInfo | undefined;
  readonly work: SearchWork;
  /** Resolves when the estimator is made; rejects with OptionError or UnsupportedError if it cannot be made. */
  ready(): Promise<void>;
  /** Whether the estimator reads the start of a search. Rejects like `ready`. */
  usesStart(): Promise<boolean>;
  /** The motion of `current` from `reference`, searched from now on. */
  search(current: LumaPicture, reference: LumaPicture, start?: StartField): Promise<MotionField>;
  /** Whether the picture with this display number may still be read by a search. */
  isReading(displayNumber: number): boolean;
  /** Closes the estimator as soon as it is made, if it is; rejects as the estimator does. */
  close(): Promise<void>;
}

/** What a search tells, what it listens to, and what else its thread does. */
export interface MotionSearchContext {
  /** Is told of faults that the estimator survives. */
  readonly onWarning?: ((message: string) => void) | undefined;
  /** Gives up making the estimator. */
  readonly signal?: AbortSignalType | undefined;
  /** Whether the calling thread codes no pictures. */
  readonly isBesideCoders?: boolean;
  /** What `askDriversEarly` has given for the estimator. */
  readonly drivers?: SharedArrayBuffer | undefined;
  /** Where threads come from and go to. */
  readonly keptThreads?: ThreadKeeper | undefined;
  /** Where threads that search come from; by default they are started. */
  readonly searchThreads?: ThreadSource | undefined;
  /** Whether it is known that no threads start. */
  readonly hasNoThreads?: boolean;
}

/** Makes the estimator for the calling thread. It may be asked before that is done: a GPU takes tenths of a second. */
export class MotionSearch implements MotionSource {
  readonly #threads: number;
  readonly #chosen: Promise<ChosenEstimator>;
  /** The result of `#chosen`, once it is there. */
  #made: ChosenEstimator | undefined;
  /** Answers until `#made` is there, if it is known who can. */
  #standIn: StandIn | undefined;
  #busyMs = 0;
  #pictures = 0;
  /** Open searches by the id of a picture that they read. */
  readonly #readers = new Map<number, number>();

  /** Starts to make the estimator that the settings name. */
  constructor(settings: EncoderSettings, context: MotionSearchContext = {}) {
    const { onWarning, signal, drivers, searchThreads, isBesideCoders = false, hasNoThreads = false } = context;
    const { estimator, kernels, workerUrl } = settings;
    const parameters = searchParameters(settings);
    this.#threads = settings.threads > 1 && !hasNoThreads ? Math.ceil(settings.threads / CODERS_PER_SEARCHER) : 0;
    const chosen = createEstimator(estimator, parameters, {
      threads: this.#threads,
      // Beside coders, threads that analyse pictures search them, too; beside two, one thread has the time for both.
      cpuThreads: isBesideCoders ? 0 : this.#threads,
      chosenKernels: kernels,
      workerUrl,
      drivers,
      threadSource: searchThreads,
      onWarning,
      onStandIn: name => {
        this.#standIn = new StandIn(createInThisThread(name, parameters, { kernels }));
      },
      signal,
    });
    this.#chosen = keepingEventLoopAlive(chosen);
    this.#chosen.then(
      made => {
        this.#made = made;
        void this.#standIn?.end();
      },
      () => void this.#standIn?.end(), // `ready`, the fields and `close` reject
    );
  }

  get searchesAhead(): boolean {
    if (!this.#made) return this.#threads > 0;
    return this.#made.threads > 0 || this.#made.estimator.traits.runsOn === 'gpu';
  }

  async ready(): Promise<void> {
    await this.#chosen;
  }

  async usesStart(): Promise<boolean> {
    const early = this.#made ? undefined : await this.#standIn?.usesStart();
    if (early !== undefined) return early;
    const { estimator } = this.#made ?? (await this.#chosen);
    return estimator.traits.usesStart === true;
  }

  get estimator(): EstimatorInfo | undefined {
    if (!this.#made) return undefined;
    const { estimator, passedOver } = this.#made;
    return { name: estimator.traits.name, device: estimator.device, passedOver };
  }

  get work(): SearchWork {
    const own = this.#made?.estimator.statistics?.();
    return { busyMs: (this.#standIn?.busyMs ?? 0) + (own?.busyMs ?? this.#busyMs), pictures: this.#pictures };
  }

  async search(current: LumaPicture, reference: LumaPicture, start?: StartField): Promise<MotionField> {
    this.#read(current, reference, 1);
    try {
      const request = start ? { current, reference, start } : { current, reference };
      const early = this.#made ? undefined : await this.#standIn?.estimate(request);
      const field = early ?? (await this.#estimate(request));
      this.#pictures++;
      return field;
    } finally {
      this.#read(current, reference, -1);
    }
  }

  isReading(displayNumber: number): boolean {
    return this.#readers.has(displayNumber);
  }

  /** The smallest display number of a picture that a search reads; infinite where there is none. */
  get oldestRead(): number {
    return Math.min(...[...this.#readers.keys()].filter(id => id >= 0));
  }

  async close(): Promise<void> {
    const made = await this.#chosen.catch(() => undefined); // `ready` rejects
    await made?.estimator.close();
  }

  async #estimate(request: EstimateRequest): Promise<MotionField> {
    const { estimator } = this.#made ?? (await this.#chosen);
    const startMs = performance.now();
    const field = await estimator.estimate(request);
    this.#busyMs += performance.now() - startMs;
    return field;
  }

  #read(current: LumaPicture, reference: LumaPicture, change: number): void {
    for (const { id } of [current, reference]) {
      const readers = (this.#readers.get(id) ?? 0) + change;
      if (readers > 0) this.#readers.set(id, readers);
      else this.#readers.delete(id);
    }
  }
}

/** What an estimator sees of a picture. */
export function lumaOf(picture: Picture): LumaPicture {
  const { id, grid, y, gpu } = picture;
  const luma = { id, width: grid.codedWidth, height: grid.codedHeight, pels: y };
  return gpu ? { ...luma, gpuBuffer: gpu.buffer } : luma;
}
