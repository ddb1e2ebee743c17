// Compiles the exhaustive search by squared errors, and chooses the shape of its workgroups.
import type { EstimatorParameters } from '../../motion/estimator.js';
import { createPipeline } from '../device/pipelines.js';
import { FULL_SEARCH_SSE, FULL_SEARCH_SSE_MANY, SQUARE_SUMS } from '../layouts.js';
import type { FullSearchShaders } from './full-search-passes.js';
import type { FullSearchTuning } from './full-search-tuning.js';
import { type KeptCandidates, keptCandidates } from './kept-candidates.js';

/** Threads and bytes of workgroup memory that every WebGPU device offers. */
const DEFAULT_THREADS = 256;
const MAX_BYTES = 16384;
/** Workgroups have whole multiples of this many threads: the width of a warp. */
const WARP = 32;
/** Work of a tile beside its vectors, and of a word of it, in units of one thread's vectors; measured on an H200. */
const TILE_COST = 64;
const WORD_COST = 0.04;
/** Finalists of a round where many candidates are kept, in multiples of their places. */
const PORTIONS = 4;
/** Bytes of the counters and the threshold there, with room to spare. */
const COUNTER_BYTES = 64;
const { ROWS } = FULL_SEARCH_SSE.constants;

/** Compiles the search: a few neighbouring blocks to a workgroup, or one where many candidates are kept. */
export async function compileSseSearch(
  device: GPUDevice,
  parameters: EstimatorParameters,
  tuning: FullSearchTuning,
): Promise<FullSearchShaders> {
  const { blockSize, candidatesPerBlock, lambda } = parameters;
  const kept = keptCandidates('full-sse', candidatesPerBlock, tuning.keep);
  const shape = groupShape(parameters, kept, tuning.threads ?? DEFAULT_THREADS);
  const { blocks, columns, chunks, threads } = shape;
  const layout = kept.isBitonic ? FULL_SEARCH_SSE_MANY : FULL_SEARCH_SSE;
  const [sums, search] = await Promise.all([
    createPipeline(device, SQUARE_SUMS, { BLOCK: blockSize }),
    createPipeline(device, layout, {
      BLOCK: blockSize,
      CANDIDATES: candidatesPerBlock,
      HAS_PENALTIES: lambda > 0 ? 1 : 0,
      BLOCKS: blocks,
      THREADS: threads,
      COLUMNS: columns,
      CHUNKS: chunks,
      ...(kept.isBitonic ? overridesForMany(kept, threads) : overridesForFew(parameters, shape)),
    }),
  ]);
  return {
    sums: { pipeline: sums, layout: SQUARE_SUMS, bytesPerSum: 4 },
    search: { pipeline: search, layout, blocksPerGroup: blocks },
  };
}

/** What full_search_sse.wgsl alone needs. */
function overridesForFew(parameters: EstimatorParameters, { columns, chunks, blockThreads }: GroupShape) {
  const window = maxWindow(parameters);
  const hasOneTile = parameters.range !== 'picture' && columns >= window.columns && ROWS * chunks >= window.rows;
  return { BLOCK_THREADS: blockThreads, HAS_ONE_TILE: hasOneTile ? 1 : 0 };
}

/** What full_search_sse_many.wgsl alone needs. */
function overridesForMany({ places, seeds }: KeptCandidates, threads: number) {
  return { KEPT: places, SEEDS: Math.min(threads, seeds), PORTION: PORTIONS * places };
}

/** Columns and rows of vectors. */
interface Window {
  readonly columns: number;
  readonly rows: number;
}

/** The largest window of a block: the whole range, whatever the size of the picture, or all places in the picture. */
function maxWindow({ blockSize, width, height, range }: EstimatorParameters): Window {
  if (range === 'picture') return { columns: width - blockSize + 1, rows: height - blockSize + 1 };
  return { columns: 2 * range.x + 1, rows: 2 * range.y + 1 };
}

/** The work of one workgroup. */
interface GroupShape {
  /** Neighbouring blocks. */
  readonly blocks: number;
  /** A tile has `columns` by `chunks * ROWS` vectors. */
  readonly columns: number;
  readonly chunks: number;
  /** Threads of each block, and of the workgroup. */
  readonly blockThreads: number;
  readonly threads: number;
}

/** The shape that takes the least time per block: few idle threads, few tiles, few words loaded. */
function groupShape(parameters: EstimatorParameters, kept: KeptCandidates, wantedThreads: number): GroupShape {
  const { blockSize, width } = parameters;
  const window = maxWindow(parameters);
  const minThreads = kept.isBitonic ? kept.places : parameters.candidatesPerBlock;
  const maxThreads = Math.max(wantedThreads, minThreads);
  const maxBlocks = kept.isBitonic ? 1 : Math.floor(width / blockSize);
  const windowChunks = Math.ceil(window.rows / ROWS);
  let best: GroupShape | undefined;
  let bestWork = Number.POSITIVE_INFINITY;
  for (let tilesDown = 1; tilesDown <= windowChunks; tilesDown++) {
    const chunks = Math.ceil(windowChunks / tilesDown);
    for (let tilesAcross = 1; tilesAcross <= window.columns; tilesAcross++) {
      const columns = Math.ceil(window.columns / tilesAcross);
      const blockThreads = Math.max(columns * chunks, minThreads);
      for (let blocks = 1; blocks * blockThreads <= maxThreads && blocks <= maxBlocks; blocks++) {
        const threads = WARP * Math.ceil((blocks * blockThreads) / WARP);
        const words = Math.ceil((blocks * blockSize + columns - 1) / 4) * (ROWS * chunks + blockSize - 1);
        const bytes = 16 * (words + blocks * blockSize) + keptBytes(parameters, kept, blocks, threads);
        const work = (tilesDown * tilesAcross * (threads + TILE_COST + WORD_COST * words)) / blocks;
        if (bytes > MAX_BYTES || work >= bestWork) continue;
        best = { blocks, columns, chunks, blockThreads, threads };
        bestWork = work;
      }
    }
  }
  return best!;
}

/** Bytes of workgroup memory in which candidates are kept. */
function keptBytes(
  { candidatesPerBlock }: EstimatorParameters,
  { isBitonic, places, seeds }: KeptCandidates,
  blocks: number,
  threads: number,
): number {
  if (!isBitonic) return 8 * blocks * candidatesPerBlock;
  return 8 * (threads + seeds + (1 + PORTIONS) * places) + COUNTER_BYTES;
}
