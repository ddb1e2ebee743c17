// Runs a CPU search algorithm behind the estimator contract.
import type { KernelMemory } from '../../kernels/kernel-memory.js';
import type { KernelChoice, Kernels } from '../../kernels/kernels.js';
import { kernelMemory, reducedPlaces } from '../../kernels/memory-room.js';
import type { ReducedPlaces } from '../../kernels/reduced-places.js';
import { createKernels } from '../../kernels/select-kernels.js';
import type {
  EstimateRequest,
  EstimatorParameters,
  EstimatorStatistics,
  EstimatorTraits,
  LumaPicture,
  MotionEstimator,
  MotionField,
  StartField,
} from '../estimator.js';
import { checkParameters } from '../parameter-checks.js';
import { PictureSlots } from '../picture-slots.js';
import { checkRequest, closedError } from '../request-checks.js';
import { type FieldPointers, readField } from './search-memory.js';

/** Pictures kept in kernel memory: whoever asks for pairs among 6 or 7 neighbouring ones has each prepared once. */
export const KEPT_PICTURES = 8;
/** The same where a picture takes much memory, such as with block sums: a B picture and its two references. */
export const KEPT_LARGE_PICTURES = 3;

/** Ties a search to others that run beside it, row of blocks by row: they write its start field, and read its field. */
export interface RowProgress {
  /** Called before a row is searched: returns when the start field has it. */
  waitForStart(row: number): void;
  /** Called when a row has been searched; `field` has all rows up to it. */
  found(row: number, field: Pick<MotionField, 'dx' | 'dy' | 'candidatesPerBlock'>): void;
}

/** A request to an estimator that reads start fields; with `progress`, others may still write them. */
export interface RowwiseRequest extends EstimateRequest {
  readonly progress?: RowProgress;
}

/** A CPU algorithm bound to kernels and memory. A `Slot` is a picture in the form that the algorithm needs. */
export interface CpuSearch<Slot> {
  /** Where a search leaves its answer. */
  readonly field: FieldPointers;
  /** Makes room for a picture; called at most `keptPictures` times. */
  createSlot(): Slot;
  /** Puts a picture into a slot, which may have held another one. */
  fill(slot: Slot, picture: LumaPicture): void;
  /** Searches `current` in `reference`. An algorithm without start vectors ignores `start` and `progress`. */
  search(current: Slot, reference: Slot, start: StartField | undefined, progress: RowProgress | undefined): void;
}

/** A CPU algorithm for one set of parameters. */
export interface CpuAlgorithm<Slot> {
  readonly name: string;
  readonly exhaustive: boolean;
  /** Whether it starts from the start field of a request, row by row. */
  readonly usesStart?: boolean;
  /** Pictures kept in kernel memory, 2 or more. Memory of a slot that is never filled is never touched. */
  readonly keptPictures: number;
  /** Kernel memory that a slot takes, in bytes. */
  readonly slotBytes: number;
  /** Kernel memory that `bind` takes, in bytes. */
  readonly searchBytes: number;
  /** `reduced`: where threads share smaller versions of the pictures that lie in `memory`, if they do. */
  bind(memory: KernelMemory, kernels: Kernels, reduced?: ReducedPlaces): CpuSearch<Slot>;
}

/** Options of the CPU estimators. */
export interface CpuEstimatorOptions {
  /** Kernel set, see select-kernels.ts. */
  readonly kernels?: KernelChoice | string | undefined;
  /** Pictures kept in kernel memory, at least 2, where that is fewer than the algorithm's own number. */
  readonly pictures?: number | undefined;
  /** Whether the costs of a field may be overwritten by the next search: they are not copied. */
  readonly borrowsCosts?: boolean | undefined;
}

/** Makes an estimator of the algorithm that `planAlgorithm` returns. Throws OptionError for parameters out of range. */
export async function createCpuEstimator<Slot>(
  parameters: EstimatorParameters,
  options: CpuEstimatorOptions,
  planAlgorithm: () => CpuAlgorithm<Slot>,
): Promise<MotionEstimator> {
  checkParameters(parameters);
  const { name, exhaustive, usesStart = false, slotBytes, searchBytes, bind, ...planned } = planAlgorithm();
  const keptPictures = Math.min(planned.keptPictures, options.pictures ?? Number.POSITIVE_INFINITY);
  const memory = kernelMemory(keptPictures * slotBytes + searchBytes, options.kernels);
  const kernels = await createKernels(memory, options.kernels);
  const runsOn = kernels.name === 'simd' ? 'wasm' : 'js';
  const traits = { name, runsOn, exhaustive, usesStart } as const;
  const { borrowsCosts = false } = options;
  const search = bind(memory, kernels, reducedPlaces(options.kernels));
  return new CpuEstimator(traits, parameters, memory, search, keptPictures, borrowsCosts);
}

class CpuEstimator<Slot> implements MotionEstimator {
  readonly device: string;
  readonly #slots: PictureSlots<Slot>;
  #search: CpuSearch<Slot> | undefined;
  #busyMs = 0;
  #pictures = 0;

  constructor(
    readonly traits: EstimatorTraits,
    readonly parameters: EstimatorParameters,
    readonly memory: KernelMemory,
    search: CpuSearch<Slot>,
    keptPictures: number,
    readonly borrowsCosts: boolean,
  ) {
    this.device = traits.runsOn === 'wasm' ? 'CPU, WebAssembly SIMD' : 'CPU, JavaScript';
    this.#slots = new PictureSlots(keptPictures, () => search.createSlot());
    this.#search = search;
  }

  async estimate(request: RowwiseRequest): Promise<MotionField> {
    const search = this.#search;
    if (!search) throw closedError(this.traits.name);
    checkRequest(request, this.parameters, this.traits.name);
    const { current, reference, start, progress } = request;
    const timed = progress && new TimedProgress(progress);
    const startMs = performance.now();
    const fill = search.fill.bind(search);
    const [slot, searched] = [
      this.#slots.take(current, reference.id, fill),
      this.#slots.take(reference, current.id, fill),
    ];
    search.search(slot, searched, start, timed);
    const field = readField(this.memory, search.field, this.parameters, this.borrowsCosts);
    this.#busyMs += performance.now() - startMs - (timed?.waitedMs ?? 0);
    this.#pictures++;
    return field;
  }

  statistics(): EstimatorStatistics {
    return { busyMs: this.#busyMs, pictures: this.#pictures };
  }

  async close(): Promise<void> {
    this.#search = undefined;
  }
}

/** Passes calls on to a progress, and counts how long a search waits for its start field. */
class TimedProgress implements RowProgress {
  /** Time waited so far, in milliseconds. */
  waitedMs = 0;
  readonly #progress: RowProgress;

  constructor(progress: RowProgress) {
    this.#progress = progress;
  }

  waitForStart(row: number): void {
    const startMs = performance.now();
    this.#progress.waitForStart(row);
    this.waitedMs += performance.now() - startMs;
  }

  found(...found: Parameters<RowProgress['found']>): void {
    this.#progress.found(...found);
  }
}
