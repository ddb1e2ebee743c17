import { UnsupportedError } from '../errors.js';
import { searchReach } from '../motion/cost.js';
import type { EstimatorParameters } from '../motion/estimator.js';
import { BLOCK_SUMS, BUFFER_USAGE, FULL_SEARCH, structWords } from './layouts.js';
import { searchPenalties } from './penalties.js';
import {
  bindBuffers,
  createFilledBuffer,
  createPipeline,
  type PictureSlot,
  type SearchPasses,
  type SearchProgram,
} from './search-passes.js';

/** What changes the speed of the exhaustive search and never its result; the defaults were measured on an H200. */
export interface FullSearchTuning {
  /** Most vectors of a tile along an axis; ±16 is 33. */
  readonly tile?: number;
  /** Threads per block, a multiple of 32 up to 256; by default as a tile needs. */
  readonly threads?: number;
  /** How absolute differences are formed. */
  readonly absoluteBy?: 'f32' | 'u32';
}

const DEFAULT_TILE = 33;
/** Rows of sums that one thread of block_sums.wgsl makes, and its workgroup's width in words. */
const STRIP_ROWS = 8;
const SUMS_GROUP_WORDS = 64;

/** Compiles the exhaustive search for one set of parameters. */
export async function createFullSearch(
  device: GPUDevice,
  parameters: EstimatorParameters,
  tuning: FullSearchTuning = {},
): Promise<SearchProgram> {
  const tile = tileSize(device, parameters, tuning.tile ?? DEFAULT_TILE);
  const threads = tuning.threads ?? Math.min(256, Math.max(64, 32 * Math.ceil((4 * tile.columns) / 32)));
  const [sums, search] = await Promise.all([
    createPipeline(device, BLOCK_SUMS, ['block_sums'], {}),
    createPipeline(device, FULL_SEARCH, ['vectors', 'pels', 'best', 'full_search'], {
      METRIC: parameters.metric === 'sse' ? 1 : 0,
      ABSOLUTE_BY: tuning.absoluteBy === 'u32' ? 1 : 0,
      THREADS: threads,
      PORTION: Math.min(MOST_PORTION, tile.columns * tile.rows),
      BLOCK: parameters.blockSize,
      CANDIDATES: parameters.candidatesPerBlock,
      TILE_COLUMNS: tile.columns,
      TILE_ROWS: tile.rows,
    }),
  ]);
  return {
    name: 'gpu-full',
    createPasses: (width, height) => new FullSearchPasses(device, { sums, search }, { ...parameters, width, height }),
  };
}

/** Most finalists of one merge, see best.wgsl. */
const MOST_PORTION = 256;

/** The largest tiles, all about equal, that cover the window and fit into the device's workgroup memory. */
function tileSize(device: GPUDevice, parameters: EstimatorParameters, most: number): { columns: number; rows: number } {
  const { blockSize, width, height } = parameters;
  const reach = searchReach(parameters);
  const columns = Math.min(width - blockSize, 2 * reach.x) + 1;
  const rows = Math.min(height - blockSize, 2 * reach.y) + 1;
  const share = (total: number, limit: number) => Math.ceil(total / Math.ceil(total / limit));
  const available = device.limits.maxComputeWorkgroupStorageSize;
  for (let limit = most; limit >= 4; limit--) {
    const tile = { columns: share(columns, limit), rows: share(rows, limit) };
    if (workgroupBytes(tile, blockSize) <= available) return tile;
  }
  throw new UnsupportedError(`gpu-full: ${available} bytes of workgroup memory are too few`);
}

/** Workgroup memory of full_search.wgsl, a little more than it declares. */
function workgroupBytes(tile: { columns: number; rows: number }, blockSize: number): number {
  const pels = (tile.columns + blockSize + 9) * (tile.rows + blockSize);
  const sums = 4 * (tile.columns + blockSize) * (tile.rows + blockSize);
  const costs = 4 * tile.columns * tile.rows;
  const selection = 8 * (256 + MOST_PORTION + 32 + 16) + 1024;
  return pels + sums + costs + selection;
}

interface FullSearchPipelines {
  readonly sums: GPUComputePipeline;
  readonly search: GPUComputePipeline;
}

interface FullSearchSlot extends PictureSlot {
  readonly sums: GPUBuffer;
  readonly sumsBindings: GPUBindGroup;
}

class FullSearchPasses implements SearchPasses {
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
  readonly #bindings = new Map<string, GPUBindGroup>();

  constructor(
    readonly device: GPUDevice,
    readonly pipelines: FullSearchPipelines,
    parameters: EstimatorParameters,
  ) {
    const { width, height, blockSize, candidatesPerBlock } = parameters;
    this.width = width;
    this.height = height;
    this.shape = { blockSize, blockColumns: width / blockSize, blockRows: height / blockSize, candidatesPerBlock };
    const entries = this.shape.blockColumns * this.shape.blockRows * candidatesPerBlock;
    this.fieldBytes = 8 * entries;
    this.#pitch = width / 4;
    const reach = searchReach(parameters);
    const penalties = searchPenalties(parameters, 1);
    const { uniform, storage, copySource } = BUFFER_USAGE;
    this.#parameters = createFilledBuffer(
      device,
      'FullSearch.parameters',
      uniform,
      structWords(FULL_SEARCH, {
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
    const sumsWords = structWords(BLOCK_SUMS, { pitch: this.#pitch, height });
    this.#sumsParameters = createFilledBuffer(device, 'FullSearch.sumsParameters', uniform, sumsWords);
    this.#penalties = createFilledBuffer(device, 'FullSearch.penalties', storage, penalties.words);
    this.field = device.createBuffer({ label: 'FullSearch.field', size: this.fieldBytes, usage: storage | copySource });
  }

  createSlot(index: number): FullSearchSlot {
    const { storage, copyTarget } = BUFFER_USAGE;
    const bytes = this.width * this.height;
    const pels = this.device.createBuffer({
      label: `FullSearch.pels${index}`,
      size: bytes + 16,
      usage: storage | copyTarget,
    });
    const sums = this.device.createBuffer({ label: `FullSearch.sums${index}`, size: 2 * bytes, usage: storage });
    const sumsBindings = bindBuffers(this.device, this.pipelines.sums, BLOCK_SUMS, `FullSearch.sumsBindings${index}`, {
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
    pass.setPipeline(this.pipelines.sums);
    pass.setBindGroup(0, this.#slots[slot.index]!.sumsBindings);
    pass.dispatchWorkgroups(Math.ceil(this.#pitch / SUMS_GROUP_WORDS), Math.ceil(this.height / STRIP_ROWS));
  }

  search(pass: GPUComputePassEncoder, current: PictureSlot, reference: PictureSlot): void {
    pass.setPipeline(this.pipelines.search);
    pass.setBindGroup(0, this.#bindingsOf(current.index, reference.index));
    pass.dispatchWorkgroups(this.shape.blockColumns, this.shape.blockRows);
  }

  #bindingsOf(currentIndex: number, referenceIndex: number): GPUBindGroup {
    const key = `${currentIndex}/${referenceIndex}`;
    let bindings = this.#bindings.get(key);
    if (!bindings) {
      const current = this.#slots[currentIndex]!;
      const reference = this.#slots[referenceIndex]!;
      bindings = bindBuffers(this.device, this.pipelines.search, FULL_SEARCH, `FullSearch.bindings${key}`, {
        parameters: this.#parameters,
        currentPels: current.pels,
        referencePels: reference.pels,
        currentSums: current.sums,
        referenceSums: reference.sums,
        penalties: this.#penalties,
        field: this.field,
      });
      this.#bindings.set(key, bindings);
    }
    return bindings;
  }

  destroy(): void {
    for (const slot of this.#slots) slot.destroy();
    for (const buffer of [this.#parameters, this.#sumsParameters, this.#penalties, this.field]) buffer.destroy();
  }
}
