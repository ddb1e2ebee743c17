import type { EstimatorParameters } from '../../motion/estimator.js';
import { SQUARE_SUMS, SQUARED_SEARCH } from '../layouts.js';
import type { FullSearchShaders } from './full-search-passes.js';
import { createPipeline } from './search-passes.js';

/** What every device allows. */
const DEFAULT_THREADS = 256;
const MAX_BYTES = 16384;
/** Vectors of a thread, one below the other: ROWS in the shader. */
const ROWS = 11;

/** Compiles the exhaustive search by sums of squared errors, in workgroups of `mostThreads` or fewer. */
export async function compileSquaredSearch(
  device: GPUDevice,
  parameters: EstimatorParameters,
  mostThreads = DEFAULT_THREADS,
): Promise<FullSearchShaders> {
  const { blockSize, candidatesPerBlock, lambda } = parameters;
  const window = widestWindow(parameters);
  const { blocks, columns, chunks, blockThreads, threads } = groupShape(parameters, window, mostThreads);
  const [sums, search] = await Promise.all([
    createPipeline(device, SQUARE_SUMS, ['square_sums'], { BLOCK: blockSize }),
    createPipeline(device, SQUARED_SEARCH, ['vectors', 'squared_search_products', 'squared_search'], {
      BLOCK: blockSize,
      CANDIDATES: candidatesPerBlock,
      PENALISED: lambda > 0 ? 1 : 0,
      BLOCKS: blocks,
      BLOCK_THREADS: blockThreads,
      THREADS: threads,
      SINGLE: parameters.range !== 'picture' && columns >= window.columns && ROWS * chunks >= window.rows ? 1 : 0,
      COLUMNS: columns,
      CHUNKS: chunks,
    }),
  ]);
  return {
    sums: { pipeline: sums, layout: SQUARE_SUMS, bytesPerSum: 4 },
    search: { pipeline: search, layout: SQUARED_SEARCH, blocksAcross: blocks },
  };
}

/** The vectors of a block: as many as the range has, whatever the size of the picture; all of the picture where that is the range. */
function widestWindow(parameters: EstimatorParameters): { readonly columns: number; readonly rows: number } {
  const { blockSize, width, height, range } = parameters;
  if (range === 'picture') return { columns: width - blockSize + 1, rows: height - blockSize + 1 };
  return { columns: 2 * range.x + 1, rows: 2 * range.y + 1 };
}

/** Blocks of a workgroup, a tile of its vectors as columns and chunks of ROWS, and threads. */
interface GroupShape {
  readonly blocks: number;
  readonly columns: number;
  readonly chunks: number;
  readonly blockThreads: number;
  readonly threads: number;
}

/** What a tile costs beside its vectors, and each word of it, in a thread's work on its vectors: measured. */
const TILE_COST = 64;
const WORD_COST = 0.04;
const WARP = 32;

/** The shape that takes the least time per block: few idle threads, few tiles, few words loaded for each. */
function groupShape(
  { blockSize, width, candidatesPerBlock }: EstimatorParameters,
  window: { readonly columns: number; readonly rows: number },
  mostThreads: number,
): GroupShape {
  const windowChunks = Math.ceil(window.rows / ROWS);
  let best: GroupShape | undefined;
  let bestWork = Number.POSITIVE_INFINITY;
  for (let down = 1; down <= windowChunks; down++) {
    const chunks = Math.ceil(windowChunks / down);
    for (let across = 1; across <= window.columns; across++) {
      const columns = Math.ceil(window.columns / across);
      const blockThreads = Math.max(columns * chunks, candidatesPerBlock);
      for (let blocks = 1; blocks * blockThreads <= mostThreads && blocks * blockSize <= width; blocks++) {
        const threads = WARP * Math.ceil((blocks * blockThreads) / WARP);
        const words = Math.ceil((blocks * blockSize + columns - 1) / 4) * (ROWS * chunks + blockSize - 1);
        const bytes = 16 * (words + blocks * blockSize) + 8 * blocks * candidatesPerBlock;
        const work = (down * across * (threads + TILE_COST + WORD_COST * words)) / blocks;
        if (bytes > MAX_BYTES || work >= bestWork) continue;
        best = { blocks, columns, chunks, blockThreads, threads };
        bestWork = work;
      }
    }
  }
  return best!;
}
