// Compiles the exhaustive search by absolute differences, and chooses the shape of its tiles.
import { searchReach } from '../../motion/cost.js';
import type { EstimatorParameters } from '../../motion/estimator.js';
import { createPipeline } from '../device/pipelines.js';
import { BLOCK_SUMS, FULL_SEARCH, FULL_SEARCH_BITONIC } from '../layouts.js';
import type { FullSearchShaders } from './full-search-passes.js';
import type { FullSearchTuning, KeepMethod } from './full-search-tuning.js';
import { keptCandidates } from './kept-candidates.js';

const DEFAULT_THREADS = 128;
const MIN_THREADS = 64;
/** Workgroups have whole multiples of this many threads: the width of a warp. */
const WARP = 32;
/**
 * Survivors that are measured in one round, at least. Short lists leave workgroup memory for more blocks at a time:
 * from 16 to 5 KiB a workgroup, a picture of 1080p took 99 us rather than 156 (docs/benchmarks.md, NVIDIA H200).
 */
const MIN_PORTION = 128;
/** Work of a tile beside its vectors, in units of one thread's vectors; measured on an NVIDIA H200. */
const TILE_OVERHEAD = 32;
const { QUAD, PHASES, CHUNK_ROWS } = FULL_SEARCH.constants;

/** Most candidates that are kept by their ranks: `node bench/candidates.mjs` compares the methods. */
const MAX_RANKED = 16;

/** How so many candidates are kept; `method` overrides the choice by number. */
export function keepMethod(candidates: number, method?: KeepMethod): KeepMethod {
  return method ?? (candidates > MAX_RANKED ? 'bitonic' : 'ranks');
}

/** Compiles the search: a block to a workgroup. */
export async function compileSadSearch(
  device: GPUDevice,
  parameters: EstimatorParameters,
  tuning: FullSearchTuning,
): Promise<FullSearchShaders> {
  const { threads, quads, chunks } = tileShape(parameters, tuning.threads ?? DEFAULT_THREADS);
  const { candidatesPerBlock, blockSize, lambda } = parameters;
  const { places, seeds } = keptCandidates(candidatesPerBlock);
  const layout = keepMethod(candidatesPerBlock, tuning.keep) === 'bitonic' ? FULL_SEARCH_BITONIC : FULL_SEARCH;
  const [sums, search] = await Promise.all([
    createPipeline(device, BLOCK_SUMS, {}),
    createPipeline(device, layout, {
      THREADS: threads,
      SEEDS: Math.min(threads, Math.max(candidatesPerBlock > 2 ? 16 : 8, seeds)),
      KEPT: places,
      PORTION: Math.max(MIN_PORTION, 4 * places),
      BLOCK: blockSize,
      CANDIDATES: candidatesPerBlock,
      HAS_PENALTIES: lambda > 0 ? 1 : 0,
      TILE_QUADS: quads,
      TILE_CHUNKS: chunks,
    }),
  ]);
  return {
    sums: { pipeline: sums, layout: BLOCK_SUMS, bytesPerSum: 2 },
    search: { pipeline: search, layout, blocksPerGroup: 1 },
  };
}

/** A tile of `4 * quads` by `12 * chunks` vectors, and the threads that search it. */
interface TileShape {
  readonly quads: number;
  readonly chunks: number;
  readonly threads: number;
}

/**
 * The tiles that cover the window with the fewest idle threads; of those shapes the one with the fewest tiles. A tile
 * begins at a multiple of QUAD pels of the reference, but the window of most blocks begins `range` pels before one.
 */
function tileShape(parameters: EstimatorParameters, maxThreads: number): TileShape {
  const { blockSize, width, height } = parameters;
  const reach = searchReach(parameters);
  const columns = Math.min(width - blockSize, 2 * reach.x) + 1;
  const rows = Math.min(height - blockSize, 2 * reach.y) + 1;
  const quads = Math.ceil((columns + ((QUAD - (reach.x % QUAD)) % QUAD)) / QUAD);
  const chunks = Math.ceil(rows / CHUNK_ROWS);
  let best: TileShape | undefined;
  let bestWork = Number.POSITIVE_INFINITY;
  for (let tileChunks = 1; tileChunks <= Math.min(chunks, maxThreads / PHASES); tileChunks++) {
    const maxQuads = Math.min(quads, Math.floor(maxThreads / (PHASES * tileChunks)));
    const tilesAcross = Math.ceil(quads / maxQuads);
    const tileQuads = Math.ceil(quads / tilesAcross);
    const threads = Math.max(MIN_THREADS, WARP * Math.ceil((PHASES * tileQuads * tileChunks) / WARP));
    const work = tilesAcross * Math.ceil(chunks / tileChunks) * (threads + TILE_OVERHEAD);
    if (work >= bestWork) continue;
    best = { quads: tileQuads, chunks: tileChunks, threads };
    bestWork = work;
  }
  return best!;
}
