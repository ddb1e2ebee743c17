// The job of a search kernel, word for word as SEARCH_JOB in src/kernels/search-kernels.ts, and the block under search.
import { setPenalties } from './search-penalty';

export const WIDTH = 0;
export const HEIGHT = 1;
export const BLOCK_SIZE = 2;
export const METRIC = 3;
export const RANGE_X = 4;
export const RANGE_Y = 5;
export const CANDIDATES = 6;
export const LEVEL = 7;
export const CURRENT = 8;
export const REFERENCE = 9;
export const SUMS4 = 10;
export const SUMS8 = 11;
export const SUMS16 = 12;
export const PENALTY_X = 13;
export const PENALTY_Y = 14;
export const DX = 15;
export const DY = 16;
export const COST = 17;
export const KEPT = 18;
export const KEPT_DX = 19;
export const KEPT_DY = 20;
export const RADIUS = 21;

/** One word of the job. */
// @ts-ignore: decorator
@inline
export function word(job: usize, index: i32): i32 {
  return load<i32>(job + (<usize>index << 2));
}

/** Stride of both planes, side of a block, whether the metric is the sum of squared errors. */
export let stride: i32 = 0;
export let blockSize: i32 = 0;
export let squared: bool = false;

/** The block's place in pels, its number, and the same place in the current and in the reference plane. */
export let blockX: i32 = 0;
export let blockY: i32 = 0;
export let block: i32 = 0;
export let currentBlock: usize = 0;
export let origin: usize = 0;

/** Legal vectors, both ends included. */
export let dxLeast: i32 = 0;
export let dxGreatest: i32 = 0;
export let dyLeast: i32 = 0;
export let dyGreatest: i32 = 0;

/** Reads what all blocks share. */
export function openJob(job: usize): void {
  stride = word(job, WIDTH);
  blockSize = word(job, BLOCK_SIZE);
  squared = word(job, METRIC) != 0;
  const rangeX = min(word(job, RANGE_X), stride);
  const rangeY = min(word(job, RANGE_Y), word(job, HEIGHT));
  setPenalties(word(job, PENALTY_X), word(job, PENALTY_Y), word(job, LEVEL), rangeX, rangeY);
}

/** Moves to the block at `column`, `row` of the grid. */
export function openBlock(job: usize, column: i32, row: i32): void {
  blockX = column * blockSize;
  blockY = row * blockSize;
  block = row * (stride / blockSize) + column;
  const place: usize = blockY * stride + blockX;
  currentBlock = <usize>word(job, CURRENT) + place;
  origin = <usize>word(job, REFERENCE) + place;
  dxLeast = max(-word(job, RANGE_X), -blockX);
  dyLeast = max(-word(job, RANGE_Y), -blockY);
  dxGreatest = min(word(job, RANGE_X), stride - blockSize - blockX);
  dyGreatest = min(word(job, RANGE_Y), word(job, HEIGHT) - blockSize - blockY);
}

/** Whether the vector is in range and keeps the block inside the reference plane. */
// @ts-ignore: decorator
@inline
export function isLegal(dx: i32, dy: i32): bool {
  return dx >= dxLeast && dx <= dxGreatest && dy >= dyLeast && dy <= dyGreatest;
}

/** The place of the block's match in the reference plane. */
// @ts-ignore: decorator
@inline
export function match(dx: i32, dy: i32): usize {
  return origin + <usize>(dy * stride + dx);
}
