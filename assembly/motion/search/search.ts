// Block-matching kernels in WASM SIMD; each equals its namesake in src/motion/search/search.ts to the bit.
import { eliminate } from './search-elimination';
import { exhaust } from './search-exhaustive';
import { refineHalfPel } from './search-half-pels';
import {
  BLOCK_SIZE,
  CANDIDATES,
  RADIUS,
  RANGE_X,
  RANGE_Y,
  WIDTH,
  openBlock,
  openJob,
  word,
} from './search-job';
import { descend, descendFromNeighbours } from './search-logarithmic';
import { searchKept } from './search-neighbourhoods';
import { clearRanking, writeRanking } from './search-ranking';

// @ts-ignore: decorator
@inline
function begin(job: usize, column: i32, row: i32): void {
  openBlock(job, column, row);
  clearRanking(word(job, CANDIDATES));
}

// @ts-ignore: decorator
@inline
function columns(job: usize): i32 {
  return word(job, WIDTH) / word(job, BLOCK_SIZE);
}

export function searchExhaustively(job: usize, row: i32): void {
  openJob(job);
  for (let column = 0; column < columns(job); column++) {
    begin(job, column, row);
    exhaust(job);
    writeRanking(job);
  }
}

export function searchByElimination(job: usize, row: i32): void {
  openJob(job);
  for (let column = 0; column < columns(job); column++) {
    begin(job, column, row);
    eliminate(job);
    writeRanking(job);
  }
}

export function searchNeighbourhoods(job: usize, row: i32): void {
  openJob(job);
  for (let column = 0; column < columns(job); column++) {
    begin(job, column, row);
    searchKept(job);
    writeRanking(job);
  }
}

export function searchLogarithmically(job: usize, row: i32): void {
  openJob(job);
  const range = max(max(word(job, RANGE_X), word(job, RANGE_Y)), 1);
  let firstStep = 1;
  while (firstStep * 2 < range) firstStep *= 2;
  for (let column = 0; column < columns(job); column++) {
    begin(job, column, row);
    descend(firstStep);
    writeRanking(job);
  }
}

export function searchPredictively(job: usize, row: i32): void {
  openJob(job);
  const all = columns(job);
  const firstStep = word(job, RADIUS);
  for (let column = 0; column < all; column++) {
    begin(job, column, row);
    descendFromNeighbours(job, column, row, all, firstStep);
    writeRanking(job);
  }
}

export function refineHalfPels(job: usize, row: i32): void {
  openJob(job);
  for (let column = 0; column < columns(job); column++) {
    openBlock(job, column, row);
    refineHalfPel(job);
  }
}
