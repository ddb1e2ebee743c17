// The block-matching searches, a row of blocks at a time.
import type { SearchKernels } from '../../kernels/contracts/search-kernels.js';
import type { KernelMemory } from '../../kernels/kernel-memory.js';
import { SEARCH_JOB, type SearchJob } from '../../kernels/records/search-job.js';
import { nextPowerOfTwo } from '../../portable-math.js';
import { BlockSearch, type Candidate, compareCandidates } from './block-search.js';
import { NEIGHBOURS } from './neighbours.js';

type BlockMatchingKernels = Omit<SearchKernels, 'blockSums' | 'halvePlane'>;

/** Tries every legal vector. */
function exhaust(search: BlockSearch): void {
  for (let dy = search.minDy; dy <= search.maxDy; dy++) {
    for (let dx = search.minDx; dx <= search.maxDx; dx++) search.attempt(dx, dy);
  }
}

/** Tries the legal vectors around twice each kept one. */
function refine(search: BlockSearch, job: SearchJob, block: number): void {
  const { i16 } = search.memory;
  for (let k = 0; k < job.kept; k++) {
    const centreDx = 2 * i16[job.keptDx / 2 + block * job.kept + k];
    const centreDy = 2 * i16[job.keptDy / 2 + block * job.kept + k];
    for (let dy = centreDy - job.radius; dy <= centreDy + job.radius; dy++) {
      for (let dx = centreDx - job.radius; dx <= centreDx + job.radius; dx++) {
        if (search.isLegal(dx, dy)) search.attempt(dx, dy);
      }
    }
  }
}

/** The two-dimensional logarithmic search; see {@link SearchKernels.searchLogarithmically}. */
function descend(search: BlockSearch, job: SearchJob): void {
  const range = Math.max(job.rangeX, job.rangeY);
  settle(search, search.attempt(0, 0), Math.max(1, nextPowerOfTwo(range) / 2));
}

/** See {@link SearchKernels.searchPredictively}. */
function descendFromNeighbours(search: BlockSearch, job: SearchJob, block: number): void {
  const { i16 } = search.memory;
  const columns = job.width / job.blockSize;
  const column = block % columns;
  const answered: number[] = [];
  if (column > 0) answered.push(block - 1);
  if (block >= columns) {
    answered.push(block - columns);
    if (column + 1 < columns) answered.push(block - columns + 1);
  }
  const entries = answered.map(neighbour => neighbour * job.candidates);
  const predicted = entries.map(entry => [i16[job.dx / 2 + entry], i16[job.dy / 2 + entry]]);
  for (let k = block * job.kept; k < (block + 1) * job.kept; k++) {
    predicted.push([i16[job.keptDx / 2 + k], i16[job.keptDy / 2 + k]]);
  }
  let best = search.attempt(0, 0);
  for (const [dx, dy] of predicted) {
    if (!search.isLegal(dx, dy)) continue;
    const tried = search.attempt(dx, dy);
    if (compareCandidates(tried, best) < 0) best = tried;
  }
  settle(search, best, job.radius);
}

/** Moves from a vector to the best, with ever smaller steps. */
function settle(search: BlockSearch, from: Candidate, firstStep: number): void {
  let centre = from;
  let step = firstStep;
  for (;;) {
    let best = centre;
    for (const [x, y] of step > 1 ? NEIGHBOURS.slice(0, 4) : NEIGHBOURS) {
      const dx = centre.dx + x * step;
      const dy = centre.dy + y * step;
      if (!search.isLegal(dx, dy)) continue;
      const tried = search.attempt(dx, dy);
      if (compareCandidates(tried, best) < 0) best = tried;
    }
    if (step === 1) return;
    if (best === centre) step /= 2;
    centre = best;
  }
}

/**
 * The definition of the searches. Elimination changes the time, not the answer, so it is the exhaustive search here.
 */
export function referenceBlockMatching(memory: KernelMemory): BlockMatchingKernels {
  const searchRow = (
    pointer: number,
    blockRow: number,
    searchBlock: (search: BlockSearch, job: SearchJob, block: number) => void,
  ): void => {
    const job = SEARCH_JOB.at(memory, pointer);
    const columns = job.width / job.blockSize;
    for (let column = 0; column < columns; column++) {
      const block = blockRow * columns + column;
      const search = new BlockSearch(memory, job, column * job.blockSize, blockRow * job.blockSize);
      searchBlock(search, job, block);
      search.write(block);
    }
  };

  return {
    searchExhaustively: (job, blockRow) => searchRow(job, blockRow, exhaust),
    searchByElimination: (job, blockRow) => searchRow(job, blockRow, exhaust),
    searchNeighbourhoods: (job, blockRow) => searchRow(job, blockRow, refine),
    searchLogarithmically: (job, blockRow) => searchRow(job, blockRow, descend),
    searchPredictively: (job, blockRow) => searchRow(job, blockRow, descendFromNeighbours),
  };
}
