import { searchReach } from '../../motion/cost.js';
import type { EstimatorParameters } from '../../motion/estimator.js';
import { BLOCK_SUMS, FULL_SEARCH } from '../layouts.js';
import type { FullSearchShaders } from './full-search-passes.js';
import { createPipeline } from './search-passes.js';

const DEFAULT_THREADS = 128;
const MIN_THREADS = 64;
/** Survivors of a round. Workgroup memory is short: with lists as long as a tile, fewer blocks are under way at a time. */
const PORTION = 128;
/** Vectors of a thread: QUAD abreast, three rows of a chunk of CHUNK_ROWS. */
const QUAD = 4;
const CHUNK_ROWS = 12;
const PHASES = 4;
const SEARCH_FILES = ['vectors', 'pels', 'best', 'full_search_bounds', 'full_search_seeds', 'full_search'] as const;

/** Compiles the exhaustive search by sums of absolute differences, a block to a workgroup of `mostThreads` or fewer. */
export async function compileAbsoluteSearch(
  device: GPUDevice,
  parameters: EstimatorParameters,
  mostThreads = DEFAULT_THREADS,
): Promise<FullSearchShaders> {
  const { threads, ...tile } = tileShape(parameters, mostThreads);
  const { candidatesPerBlock, blockSize } = parameters;
  const [sums, search] = await Promise.all([
    createPipeline(device, BLOCK_SUMS, ['block_sums'], {}),
    createPipeline(device, FULL_SEARCH, SEARCH_FILES, {
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
    sums: { pipeline: sums, layout: BLOCK_SUMS, bytesPerSum: 2 },
    search: { pipeline: search, layout: FULL_SEARCH, blocksAcross: 1 },
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
    const threads = Math.max(MIN_THREADS, 32 * Math.ceil((PHASES * tileQuads * tileChunks) / 32));
    const work = across * Math.ceil(chunks / tileChunks) * (threads + TILE_OVERHEAD);
    if (work >= bestWork) continue;
    best = { quads: tileQuads, chunks: tileChunks, threads };
    bestWork = work;
  }
  return best!;
}

/** What a tile costs beside its vectors, in threads' worth of them. */
const TILE_OVERHEAD = 32;
