import { InputError } from '../../errors.js';
import { KernelMemory } from '../../kernels/kernel-memory.js';
import type { Kernels } from '../../kernels/kernels.js';
import { createKernels } from '../../kernels/select-kernels.js';
import type {
  EstimateRequest,
  EstimatorParameters,
  EstimatorStatistics,
  EstimatorTraits,
  LumaPicture,
  MotionEstimator,
  MotionField,
} from '../estimator.js';
import { checkParameters } from '../parameters.js';
import { PictureSlots } from './picture-slots.js';
import { readField } from './search-memory.js';

/** Pictures kept: the current one and its two references, as B pictures have them. */
export const KEPT_PICTURES = 3;

/** Where an algorithm leaves its answer: pointers to i16, i16 and u32 entries as in `MotionField`. */
export interface FieldPointers {
  readonly dx: number;
  readonly dy: number;
  readonly cost: number;
}

/** A CPU algorithm bound to kernels and memory. A `Slot` is a picture as the algorithm keeps it. */
export interface CpuSearch<Slot> {
  readonly slots: readonly Slot[];
  readonly field: FieldPointers;
  /** Puts a new picture into a slot. */
  fill(slot: Slot, picture: LumaPicture): void;
  /** Searches; the answer is at `field`. */
  search(current: Slot, reference: Slot): void;
}

/** What makes an algorithm. */
export interface CpuAlgorithm<Slot> {
  readonly name: string;
  readonly exhaustive: boolean;
  /** Kernel memory it needs, in bytes. */
  readonly memoryBytes: number;
  bind(memory: KernelMemory, kernels: Kernels): CpuSearch<Slot>;
}

/** Options of the CPU estimators. */
export interface CpuEstimatorOptions {
  /** Kernel set, see select-kernels.ts. */
  readonly kernels?: string;
}

/** Runs a CPU algorithm behind the estimator contract. Throws OptionError for parameters out of range. */
export async function createCpuEstimator<Slot>(
  parameters: EstimatorParameters,
  options: CpuEstimatorOptions,
  algorithm: () => CpuAlgorithm<Slot>,
): Promise<MotionEstimator> {
  checkParameters(parameters);
  const { name, exhaustive, memoryBytes, bind } = algorithm();
  const memory = new KernelMemory(memoryBytes);
  const kernels = await createKernels(memory, options.kernels);
  const runsOn = kernels.name === 'simd' ? 'wasm' : 'js';
  return new CpuEstimator({ name, runsOn, exhaustive }, parameters, memory, bind(memory, kernels));
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
  ) {
    this.device = traits.runsOn === 'wasm' ? 'CPU, WebAssembly SIMD' : 'CPU, JavaScript';
    this.#slots = new PictureSlots(search.slots);
    this.#search = search;
  }

  async estimate({ current, reference }: EstimateRequest): Promise<MotionField> {
    const search = this.#search;
    if (!search) throw new InputError(`the estimator ${this.traits.name} is closed`);
    this.#check(current);
    this.#check(reference);
    const start = performance.now();
    const fill = search.fill.bind(search);
    search.search(this.#slots.take(current, fill), this.#slots.take(reference, fill));
    const field = readField(this.memory, search.field, this.parameters);
    this.#busyMs += performance.now() - start;
    this.#pictures++;
    return field;
  }

  statistics(): EstimatorStatistics {
    return { busyMs: this.#busyMs, pictures: this.#pictures };
  }

  async close(): Promise<void> {
    this.#search = undefined;
  }

  #check(picture: LumaPicture): void {
    const { width, height } = this.parameters;
    if (picture.width === width && picture.height === height && picture.pels.length === width * height) return;
    throw new InputError(
      `picture ${picture.id} is ${picture.width}x${picture.height} with ${picture.pels.length} pels; ` +
        `${this.traits.name} was made for ${width}x${height}`,
    );
  }
}
