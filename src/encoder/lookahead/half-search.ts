import type { KernelMemory } from '../../kernels/kernel-memory.js';
import type { Kernels } from '../../kernels/kernels.js';
import { allocateSearchJob, SEARCH_JOB_BYTES, setSearchJob } from '../../kernels/search-kernels.js';
import { searchReach } from '../../motion/cost.js';
import {
  ALIGNMENT_BYTES,
  allocateField,
  allocatePenalties,
  type FieldPointers,
  fieldBytes,
  penaltyBytes,
  readField,
} from '../../motion/cpu/search-memory.js';
import type { EstimatorParameters, MotionField } from '../../motion/estimator.js';

/** Side of a block at half resolution: a macroblock. */
export const HALF_BLOCK = 8;
/** Search range at half resolution in pels per axis: 1080p pans faster than 62 pels from an anchor to the next. */
const RANGE = { x: 63, y: 63 };
/** Cost of a vector bit, in SAD. */
const LAMBDA = 8;
/** First step of a search in pels: where nothing is known of the motion, and where something is. */
const BLIND_STEP = 16;
const GUIDED_STEP = 4;

/** The motion of blocks at half resolution, each searched from its neighbours' vectors on. */
export class HalfSearch {
  readonly #memory: KernelMemory;
  readonly #kernels: Kernels;
  readonly #parameters: EstimatorParameters;
  readonly #job: number;
  readonly #answer: FieldPointers;
  readonly #guide: FieldPointers;

  /** Kernel memory that a search in pictures of this size takes, in bytes. */
  static bytes(width: number, height: number): number {
    const reach = searchReach(searchParameters(width, height));
    return (
      2 * fieldBytes((width * height) / HALF_BLOCK ** 2, 1) + penaltyBytes(reach) + SEARCH_JOB_BYTES + ALIGNMENT_BYTES
    );
  }

  /** A search in pictures of a size in pels, which lie in `memory`. */
  constructor(memory: KernelMemory, kernels: Kernels, width: number, height: number) {
    this.#memory = memory;
    this.#kernels = kernels;
    this.#parameters = searchParameters(width, height);
    const blocks = (width * height) / HALF_BLOCK ** 2;
    const reach = searchReach(this.#parameters);
    this.#answer = allocateField(memory, blocks, 1);
    this.#guide = allocateField(memory, blocks, 1);
    this.#job = allocateSearchJob(memory, {
      width,
      height,
      blockSize: HALF_BLOCK,
      metric: 0,
      rangeX: reach.x,
      rangeY: reach.y,
      candidates: 1,
      ...allocatePenalties(memory, this.#parameters, reach),
      ...this.#answer,
      keptDx: this.#guide.dx,
      keptDy: this.#guide.dy,
    });
  }

  /**
   * The vectors of `current` into `reference`, in half-pels; both by where they lie in memory, followed by their half-pel planes. `guide`,
   * where there is one, is a field of like motion whose vectors times `part` are tried as well.
   */
  search(current: number, reference: number, guide: MotionField | undefined, part: number): MotionField {
    if (guide) {
      this.#guideBy(guide.dx, this.#guide.dx, part);
      this.#guideBy(guide.dy, this.#guide.dy, part);
    }
    setSearchJob(this.#memory, this.#job, {
      current,
      reference,
      kept: guide ? 1 : 0,
      radius: guide ? GUIDED_STEP : BLIND_STEP,
    });
    const rows = this.#parameters.height / HALF_BLOCK;
    for (let row = 0; row < rows; row++) this.#kernels.searchPredictively(this.#job, row);
    for (let row = 0; row < rows; row++) this.#kernels.refineHalfPels(this.#job, row);
    return readField(this.#memory, this.#answer, this.#parameters);
  }

  #guideBy(components: Int16Array, pointer: number, part: number): void {
    const { i16 } = this.#memory;
    for (let i = 0; i < components.length; i++) i16[(pointer >> 1) + i] = Math.round(components[i]! * part * 0.5);
  }
}

function searchParameters(width: number, height: number): EstimatorParameters {
  return { width, height, metric: 'sad', blockSize: HALF_BLOCK, range: RANGE, candidatesPerBlock: 1, lambda: LAMBDA };
}
