// The block under search: its pels, its matches in the reference, and its legal vectors.
import { SearchJob } from '../../generated/records';
import { setPenaltyBounds, setPenalties } from './penalty';

/** Stride of both planes, blocks in a row, side of a block, whether the metric is the sum of squared errors. */
export let stride: i32 = 0;
export let columns: i32 = 0;
export let blockSize: i32 = 0;
export let squared: bool = false;

/**
 * The block's position in pels, its number, and pointers to that position in the current and in the reference plane.
 */
export let blockX: i32 = 0;
export let blockY: i32 = 0;
export let block: i32 = 0;
export let currentBlock: usize = 0;
let origin: usize = 0;

/** Legal vectors, both ends included. */
export let minDx: i32 = 0;
export let maxDx: i32 = 0;
export let minDy: i32 = 0;
export let maxDy: i32 = 0;

/** Reads the settings that all blocks share. */
export function openJob(job: SearchJob): void {
  stride = job.width;
  blockSize = job.blockSize;
  columns = stride / blockSize;
  squared = job.metric != 0;
  setPenalties(job.penaltyX, job.penaltyY, job.level);
}

/** The same for searches that compare with bounds of the penalties. */
export function openJobWithBounds(job: SearchJob): void {
  openJob(job);
  setPenaltyBounds(min(job.rangeX, stride), min(job.rangeY, job.height));
}

/** Moves to the block at `column`, `row` of the grid. */
export function openBlock(job: SearchJob, column: i32, row: i32): void {
  blockX = column * blockSize;
  blockY = row * blockSize;
  block = row * columns + column;
  const place: usize = blockY * stride + blockX;
  currentBlock = job.current + place;
  origin = job.reference + place;
  minDx = max(-job.rangeX, -blockX);
  minDy = max(-job.rangeY, -blockY);
  maxDx = min(job.rangeX, stride - blockSize - blockX);
  maxDy = min(job.rangeY, job.height - blockSize - blockY);
}

/** Whether the vector is in range and keeps the block inside the reference plane. */
// @ts-ignore: decorator
@inline
export function isLegal(dx: i32, dy: i32): bool {
  return dx >= minDx && dx <= maxDx && dy >= minDy && dy <= maxDy;
}

/** Pointer to the block's match in the reference plane. */
// @ts-ignore: decorator
@inline
export function match(dx: i32, dy: i32): usize {
  return origin + <usize>(dy * stride + dx);
}
