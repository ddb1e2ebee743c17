// The lookahead's own motion search, at half resolution.
import { ALIGNMENT_BYTES, type KernelMemory } from '../../kernels/kernel-memory.js';
import type { Kernels } from '../../kernels/kernels.js';
import { SEARCH_JOB, type SearchJob } from '../../kernels/records/search-job.js';
import { searchReach } from '../../motion/cost.js';
import {
  allocateField,
  allocatePenalties,
  type FieldPointers,
  fieldBytes,
  penaltyBytes,
  readField,
} from '../../motion/cpu/search-memory.js';
import type { EstimatorParameters, MotionField } from '../../motion/estimator.js';

/** Side of a block in pels at half resolution, where it covers a macroblock. */
export const HALF_BLOCK = 8;
/**
 * Search range in pels at half resolution: autumntree_1080p pans by 40 pels of the whole picture a picture, 120 from
 * anchor to anchor.
 */
const RANGE = { x: 63, y: 63 };
/** Cost of a vector bit in SAD; not measured. */
const LAMBDA = 8;
/** First step of a search in pels, without and with a guide; not measured. */
const UNGUIDED_STEP = 16;
const GUIDED_STEP = 4;

/** A predictive search: each block starts from its neighbours' vectors. */
export class HalfSearch {
  readonly #memory: KernelMemory;
  readonly #kernels: Kernels;
  readonly #parameters: EstimatorParameters;
  readonly #job: SearchJob;
  readonly #answer: FieldPointers;
  readonly #guide: FieldPointers;

  /** Kernel memory that a search in pictures of this size takes, in bytes. */
  static bytes(width: number, height: number): number {
    const reach = searchReach(searchParameters(width, height));
    return (
      2 * fieldBytes((width * height) / HALF_BLOCK ** 2, 1) + penaltyBytes(reach) + SEARCH_JOB.bytes + ALIGNMENT_BYTES
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
    this.#job = SEARCH_JOB.allocate(memory, {
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
   * The vectors of `current` into `reference`, in half-pels. Both are addresses of pels that half-pel planes follow.
   * `guide` is a field of similar motion, if any: its vectors times `part` are tried, too.
   */
  search(current: number, reference: number, guide: MotionField | undefined, part: number): MotionField {
    if (guide) {
      this.#writeGuide(guide.dx, this.#guide.dx, part);
      this.#writeGuide(guide.dy, this.#guide.dy, part);
    }
    this.#job.current = current;
    this.#job.reference = reference;
    this.#job.kept = guide ? 1 : 0;
    this.#job.radius = guide ? GUIDED_STEP : UNGUIDED_STEP;
    const rows = this.#parameters.height / HALF_BLOCK;
    for (let row = 0; row < rows; row++) this.#kernels.searchPredictively(this.#job.pointer, row);
    for (let row = 0; row < rows; row++) this.#kernels.refineHalfPels(this.#job.pointer, row);
    return readField(this.#memory, this.#answer, this.#parameters);
  }

  #writeGuide(components: Int16Array, pointer: number, part: number): void {
    const { i16 } = this.#memory;
    for (let i = 0; i < components.length; i++) i16[(pointer >> 1) + i] = Math.round(components[i]! * part * 0.5);
  }
}

function searchParameters(width: number, height: number): EstimatorParameters {
  return { width, height, metric: 'sad', blockSize: HALF_BLOCK, range: RANGE, candidatesPerBlock: 1, lambda: LAMBDA };
}
