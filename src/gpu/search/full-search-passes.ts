import { searchReach } from '../../motion/cost.js';
import type { EstimatorParameters } from '../../motion/estimator.js';
import {
  type BLOCK_SUMS,
  BUFFER_USAGE,
  type FULL_SEARCH,
  type SQUARE_SUMS,
  type SQUARED_SEARCH,
  structWords,
} from '../layouts.js';
import { searchPenalties } from './penalties.js';
import {
  bindBuffers,
  createFilledBuffer,
  fieldShape,
  PairBindings,
  type PictureSlot,
  type SearchPasses,
} from './search-passes.js';

/** The compiled shaders of an exhaustive search, by whichever metric. */
export interface FullSearchShaders {
  /** Sums over the block at every position, once per picture. */
  readonly sums: {
    readonly pipeline: GPUComputePipeline;
    readonly layout: typeof BLOCK_SUMS | typeof SQUARE_SUMS;
    readonly bytesPerSum: number;
  };
  readonly search: {
    readonly pipeline: GPUComputePipeline;
    readonly layout: typeof FULL_SEARCH | typeof SQUARED_SEARCH;
    /** Neighbouring blocks that a workgroup searches. */
    readonly blocksAcross: number;
  };
}

/** Rows of sums that one thread makes, and its workgroup's width in words. */
const STRIP_ROWS = 8;
const SUMS_GROUP_WORDS = 64;

interface FullSearchSlot extends PictureSlot {
  readonly sums: GPUBuffer;
  readonly sumsBindings: GPUBindGroup;
}

/** The exhaustive search for pictures of one size. */
export class FullSearchPasses implements SearchPasses {
  readonly shape;
  readonly field: GPUBuffer;
  readonly fieldBytes: number;
  readonly width: number;
  readonly height: number;
  readonly #pitch: number;
  readonly #parameters: GPUBuffer;
  readonly #sumsParameters: GPUBuffer;
  readonly #penalties: GPUBuffer;
  readonly #slots: FullSearchSlot[] = [];
  readonly #bindings = new PairBindings();

  constructor(
    readonly device: GPUDevice,
    readonly shaders: FullSearchShaders,
    parameters: EstimatorParameters,
  ) {
    const { width, height } = parameters;
    this.width = width;
    this.height = height;
    this.shape = fieldShape(parameters);
    const entries = this.shape.blockColumns * this.shape.blockRows * this.shape.candidatesPerBlock;
    this.fieldBytes = 8 * entries;
    this.#pitch = width / 4;
    const reach = searchReach(parameters);
    const penalties = searchPenalties(parameters, 1);
    const { uniform, storage, copySource } = BUFFER_USAGE;
    this.#parameters = createFilledBuffer(
      device,
      'FullSearch.parameters',
      uniform,
      structWords(shaders.search.layout, {
        width,
        height,
        pitch: this.#pitch,
        blockColumns: this.shape.blockColumns,
        entries,
        rangeX: reach.x,
        rangeY: reach.y,
        penaltyY: penalties.firstY,
      }),
    );
    const sumsWords = structWords(shaders.sums.layout, { pitch: this.#pitch, height });
    this.#sumsParameters = createFilledBuffer(device, 'FullSearch.sumsParameters', uniform, sumsWords);
    this.#penalties = createFilledBuffer(device, 'FullSearch.penalties', storage, penalties.words);
    this.field = device.createBuffer({ label: 'FullSearch.field', size: this.fieldBytes, usage: storage | copySource });
  }

  createSlot(index: number): FullSearchSlot {
    const { storage, copyTarget } = BUFFER_USAGE;
    const { pipeline, layout, bytesPerSum } = this.shaders.sums;
    const bytes = this.width * this.height;
    const pels = this.device.createBuffer({
      label: `FullSearch.pels${index}`,
      size: bytes + 16,
      usage: storage | copyTarget,
    });
    const sums = this.device.createBuffer({
      label: `FullSearch.sums${index}`,
      size: bytesPerSum * bytes,
      usage: storage,
    });
    const sumsBindings = bindBuffers(this.device, pipeline, layout, `FullSearch.sumsBindings${index}`, {
      parameters: this.#sumsParameters,
      pels,
      sums,
    });
    const destroy = () => {
      pels.destroy();
      sums.destroy();
    };
    const slot = { index, pels, sums, sumsBindings, destroy };
    this.#slots[index] = slot;
    return slot;
  }

  prepare(pass: GPUComputePassEncoder, slot: PictureSlot): void {
    pass.setPipeline(this.shaders.sums.pipeline);
    pass.setBindGroup(0, this.#slots[slot.index]!.sumsBindings);
    pass.dispatchWorkgroups(Math.ceil(this.#pitch / SUMS_GROUP_WORDS), Math.ceil(this.height / STRIP_ROWS));
  }

  search(pass: GPUComputePassEncoder, current: PictureSlot, reference: PictureSlot): void {
    const { pipeline, layout, blocksAcross } = this.shaders.search;
    const bindings = this.#bindings.of(current, reference, label =>
      bindBuffers(this.device, pipeline, layout, `FullSearch.${label}`, {
        parameters: this.#parameters,
        currentPels: current.pels,
        referencePels: reference.pels,
        currentSums: this.#slots[current.index]!.sums,
        referenceSums: this.#slots[reference.index]!.sums,
        penalties: this.#penalties,
        field: this.field,
      }),
    );
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, bindings);
    pass.dispatchWorkgroups(Math.ceil(this.shape.blockColumns / blocksAcross), this.shape.blockRows);
  }

  destroy(): void {
    for (const slot of this.#slots) slot.destroy();
    for (const buffer of [this.#parameters, this.#sumsParameters, this.#penalties, this.field]) buffer.destroy();
  }
}
