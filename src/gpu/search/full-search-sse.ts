// Compiles the exhaustive search by squared errors, and chooses the shape of its workgroups.
import type { EstimatorParameters } from '../../motion/estimator.js';
import { createPipeline } from '../device/pipelines.js';
import { FULL_SEARCH_SSE, SQUARE_SUMS } from '../layouts.js';
import type { FullSearchShaders } from './full-search-passes.js';
import type { FullSearchTuning } from './full-search-tuning.js';

/** Threads and bytes of workgroup memory that every WebGPU device offers. */
const DEFAULT_THREADS = 256;
const MAX_BYTES = 16384;
/** Workgroups have whole multiples of this many threads: the width of a warp. */
const WARP = 32;
/** Work of a tile beside its vectors, and of a word of it, in units of one thread's vectors; measured on an H200. */
const TILE_COST = 64;
const WORD_COST = 0.04;
const { ROWS } = FULL_SEARCH_SSE.constants;

/** Compiles the search: a few neighbouring blocks to a workgroup of at most `maxThreads`. */
export async function compileSseSearch(
  device: GPUDevice,
  parameters: EstimatorParameters,
  { threads: maxThreads = DEFAULT_THREADS }: FullSearchTuning,
): Promise<FullSearchShaders> {
  const { blockSize, candidatesPerBlock, lambda, range } = parameters;
  const window = maxWindow(parameters);
  const { blocks, columns, chunks, blockThreads, threads } = groupShape(parameters, window, maxThreads);
  const hasOneTile = range !== 'picture' && columns >= window.columns && ROWS * chunks >= window.rows;
  const [sums, search] = await Promise.all([
    createPipeline(device, SQUARE_SUMS, { BLOCK: blockSize }),
    createPipeline(device, FULL_SEARCH_SSE, {
      BLOCK: blockSize,
      CANDIDATES: candidatesPerBlock,
      HAS_PENALTIES: lambda > 0 ? 1 : 0,
      BLOCKS: blocks,
      BLOCK_THREADS: blockThreads,
      THREADS: threads,
      HAS_ONE_TILE: hasOneTile ? 1 : 0,
      COLUMNS: columns,
      CHUNKS: chunks,
    }),
  ]);
  return {
    sums: { pipeline: sums, layout: SQUARE_SUMS, bytesPerSum: 4 },
    search: { pipeline: search, layout: FULL_SEARCH_SSE, blocksPerGroup: blocks },
  };
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
function groupShape(
  { blockSize, width, candidatesPerBlock }: EstimatorParameters,
  window: Window,
  maxThreads: number,
): GroupShape {
  const windowChunks = Math.ceil(window.rows / ROWS);
  let best: GroupShape | undefined;
  let bestWork = Number.POSITIVE_INFINITY;
  for (let tilesDown = 1; tilesDown <= windowChunks; tilesDown++) {
    const chunks = Math.ceil(windowChunks / tilesDown);
    for (let tilesAcross = 1; tilesAcross <= window.columns; tilesAcross++) {
      const columns = Math.ceil(window.columns / tilesAcross);
      const blockThreads = Math.max(columns * chunks, candidatesPerBlock);
      for (let blocks = 1; blocks * blockThreads <= maxThreads && blocks * blockSize <= width; blocks++) {
        const threads = WARP * Math.ceil((blocks * blockThreads) / WARP);
        const words = Math.ceil((blocks * blockSize + columns - 1) / 4) * (ROWS * chunks + blockSize - 1);
        const bytes = 16 * (words + blocks * blockSize) + 8 * blocks * candidatesPerBlock;
        const work = (tilesDown * tilesAcross * (threads + TILE_COST + WORD_COST * words)) / blocks;
        if (bytes > MAX_BYTES || work >= bestWork) continue;
        best = { blocks, columns, chunks, blockThreads, threads };
        bestWork = work;
      }
    }
  }
  return best!;
}
