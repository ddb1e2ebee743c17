// The passes of the exhaustive search for pictures of one size, by either metric.
import { searchReach } from '../../motion/cost.js';
import type { EstimatorParameters } from '../../motion/estimator.js';
import { BUFFER_USAGE, createFilledBuffer } from '../device/buffers.js';
import { bindBuffers } from '../device/pipelines.js';
import { type BLOCK_SUMS, type FULL_SEARCH, type PassLayout, type SQUARE_SUMS, structWords } from '../layouts.js';
import { FieldBuffers, type FieldShape, fieldEntries, fieldShape } from './field-buffer.js';
import { searchPenalties } from './penalties.js';
import { PairBindings, type PictureSlot, type SearchPasses, type SlotPair } from './search-passes.js';

/** The compiled shaders of an exhaustive search. */
export interface FullSearchShaders {
  /** Makes the sums of the block at every position, once per picture. */
  readonly sums: {
    readonly pipeline: GPUComputePipeline;
    readonly layout: typeof BLOCK_SUMS | typeof SQUARE_SUMS;
    readonly bytesPerSum: number;
  };
  readonly search: {
    readonly pipeline: GPUComputePipeline;
    /** All exhaustive searches have the bindings and the struct of this one. */
    readonly layout: Omit<typeof FULL_SEARCH, 'entryPoint' | 'files' | 'constants'> & PassLayout;
    /** Neighbouring blocks that a workgroup searches. */
    readonly blocksPerGroup: number;
  };
}

/** Bytes behind the last pel: the shaders read up to four words there and do not use them. */
const SLACK_BYTES = 16;

interface FullSearchSlot extends PictureSlot {
  readonly sums: GPUBuffer;
  readonly sumsBindings: GPUBindGroup;
}

/** The exhaustive search in pictures of one size. */
export class FullSearchPasses implements SearchPasses {
  readonly shape: FieldShape;
  readonly #height: number;
  /** Words in a row of pels. */
  readonly #pitch: number;
  readonly #parameters: GPUBuffer;
  readonly #sumsParameters: GPUBuffer;
  readonly #penalties: GPUBuffer;
  readonly #slots: FullSearchSlot[] = [];
  readonly #fields: FieldBuffers;
  readonly #bindings = new PairBindings();

  constructor(
    readonly device: GPUDevice,
    readonly shaders: FullSearchShaders,
    parameters: EstimatorParameters,
  ) {
    const { width, height } = parameters;
    this.#height = height;
    this.#pitch = width / 4;
    this.shape = fieldShape(parameters);
    this.#fields = new FieldBuffers(device, 'FullSearch.field', this.shape);
    const reach = searchReach(parameters);
    const penalties = searchPenalties(parameters, 1);
    const { uniform, storage } = BUFFER_USAGE;
    const searchWords = structWords(shaders.search.layout, {
      width,
      height,
      pitch: this.#pitch,
      blockColumns: this.shape.blockColumns,
      entries: fieldEntries(this.shape),
      rangeX: reach.x,
      rangeY: reach.y,
      penaltyY: penalties.firstY,
    });
    this.#parameters = createFilledBuffer(device, 'FullSearch.parameters', uniform, searchWords);
    const sumsWords = structWords(shaders.sums.layout, { pitch: this.#pitch, height });
    this.#sumsParameters = createFilledBuffer(device, 'FullSearch.sumsParameters', uniform, sumsWords);
    this.#penalties = createFilledBuffer(device, 'FullSearch.penalties', storage, penalties.words);
  }

  createSlot(index: number): FullSearchSlot {
    const { storage, copySource, copyTarget } = BUFFER_USAGE;
    const { pipeline, layout, bytesPerSum } = this.shaders.sums;
    const pelCount = 4 * this.#pitch * this.#height;
    const pels = this.device.createBuffer({
      label: `FullSearch.pels${index}`,
      size: pelCount + SLACK_BYTES,
      usage: storage | copySource | copyTarget,
    });
    const sums = this.device.createBuffer({
      label: `FullSearch.sums${index}`,
      size: bytesPerSum * pelCount,
      usage: storage,
    });
    const sumsBindings = bindBuffers(this.device, pipeline, layout, `FullSearch.sumsBindings${index}`, {
      parameters: this.#sumsParameters,
      pels,
      sums,
    });
    const slot = { index, pels, sums, sumsBindings };
    this.#slots[index] = slot;
    return slot;
  }

  prepare(pass: GPUComputePassEncoder, slots: readonly PictureSlot[]): void {
    const { pipeline, layout } = this.shaders.sums;
    const { GROUP_WORDS, STRIP_ROWS } = layout.constants;
    pass.setPipeline(pipeline);
    for (const { index } of slots) {
      pass.setBindGroup(0, this.#slots[index]!.sumsBindings);
      pass.dispatchWorkgroups(Math.ceil(this.#pitch / GROUP_WORDS), Math.ceil(this.#height / STRIP_ROWS));
    }
  }

  field(number: number): GPUBuffer {
    return this.#fields.get(number);
  }

  search(pass: GPUComputePassEncoder, pairs: readonly SlotPair[]): void {
    const { pipeline, layout, blocksPerGroup } = this.shaders.search;
    pass.setPipeline(pipeline);
    for (const [number, pair] of pairs.entries()) {
      const { current, reference } = pair;
      const bindings = this.#bindings.of(pair, number, label =>
        bindBuffers(this.device, pipeline, layout, `FullSearch.${label}`, {
          parameters: this.#parameters,
          currentPels: current.pels,
          referencePels: reference.pels,
          currentSums: this.#slots[current.index]!.sums,
          referenceSums: this.#slots[reference.index]!.sums,
          penalties: this.#penalties,
          field: this.field(number),
        }),
      );
      pass.setBindGroup(0, bindings);
      pass.dispatchWorkgroups(Math.ceil(this.shape.blockColumns / blocksPerGroup), this.shape.blockRows);
    }
  }

  destroy(): void {
    const ofSlots = this.#slots.flatMap(({ pels, sums }) => [pels, sums]);
    const own = [this.#parameters, this.#sumsParameters, this.#penalties];
    for (const buffer of [...ofSlots, ...own]) buffer.destroy();
    this.#fields.destroy();
  }
}
