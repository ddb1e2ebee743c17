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

/** What changes the speed of the exhaustive search and never its result; docs/benchmarks.md has what it is worth. */
export interface FullSearchTuning {
  /** Most threads per block, 64, 128 or 256. A thread takes twelve vectors of a tile, so this sets the size of tiles. */
  readonly threads?: number;
}

const DEFAULT_THREADS = 128;
const FEWEST_THREADS = 64;
/** Survivors of a round. Workgroup memory is short: with lists as long as a tile, fewer blocks are under way at a time. */
const PORTION = 128;
/** Vectors of a thread: QUAD abreast, three rows of a chunk of CHUNK_ROWS. */
const QUAD = 4;
const CHUNK_ROWS = 12;
const PHASES = 4;
/** The shader files of the exhaustive search. */
const FULL_SEARCH_FILES = [
  'vectors',
  'pels',
  'best',
  'full_search_bounds',
  'full_search_seeds',
  'full_search',
] as const;
/** Rows of sums that one thread of block_sums.wgsl makes, and its workgroup's width in words. */
const STRIP_ROWS = 8;
const SUMS_GROUP_WORDS = 64;

/** Compiles the exhaustive search for one set of parameters. */
export async function createFullSearch(
  device: GPUDevice,
  parameters: EstimatorParameters,
  tuning: FullSearchTuning = {},
): Promise<SearchProgram> {
  const { threads, ...tile } = tileShape(parameters, tuning.threads ?? DEFAULT_THREADS);
  const { candidatesPerBlock, blockSize } = parameters;
  const [sums, search] = await Promise.all([
    createPipeline(device, BLOCK_SUMS, ['block_sums'], {}),
    createPipeline(device, FULL_SEARCH, FULL_SEARCH_FILES, {
      METRIC: parameters.metric === 'sse' ? 1 : 0,
      THREADS: threads,
      SEEDS: candidatesPerBlock > 2 ? 16 : 8,
      PORTION,
      BLOCK: blockSize,
      CANDIDATES: candidatesPerBlock,
      PENALISED: parameters.lambda > 0 ? 1 : 0,
      TILE_QUADS: tile.quads,
      TILE_CHUNKS: tile.chunks,
    }),
  ]);
  return {
    name: 'gpu-full',
    createPasses: (width, height) => new FullSearchPasses(device, { sums, search }, { ...parameters, width, height }),
  };
}

interface TileShape {
  readonly quads: number;
  readonly chunks: number;
  readonly threads: number;
}

/**
 * Tiles that cover the window with the fewest idle threads, and of those shapes the one with the fewest tiles. A tile
 * begins at a multiple of QUAD pels, the window of most blocks `-range` pels from one.
 */
function tileShape(parameters: EstimatorParameters, mostThreads: number): TileShape {
  const { blockSize, width, height } = parameters;
  const reach = searchReach(parameters);
  const columns = Math.min(width - blockSize, 2 * reach.x) + 1;
  const rows = Math.min(height - blockSize, 2 * reach.y) + 1;
  const quads = Math.ceil((columns + ((QUAD - (reach.x % QUAD)) % QUAD)) / QUAD);
  const chunks = Math.ceil(rows / CHUNK_ROWS);
  let best: TileShape | undefined;
  let bestWork = Number.POSITIVE_INFINITY;
  for (let tileChunks = 1; tileChunks <= Math.min(chunks, mostThreads / PHASES); tileChunks++) {
    const most = Math.min(quads, Math.floor(mostThreads / (PHASES * tileChunks)));
    const across = Math.ceil(quads / most);
    const tileQuads = Math.ceil(quads / across);
    const threads = Math.max(FEWEST_THREADS, 32 * Math.ceil((PHASES * tileQuads * tileChunks) / 32));
    const work = across * Math.ceil(chunks / tileChunks) * (threads + TILE_OVERHEAD);
    if (work >= bestWork) continue;
    best = { quads: tileQuads, chunks: tileChunks, threads };
    bestWork = work;
  }
  return best!;
}

/** What a tile costs beside its vectors, in threads' worth of them. */
const TILE_OVERHEAD = 32;

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
