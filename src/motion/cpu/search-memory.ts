import type { KernelMemory } from '../../kernels/kernel-memory.js';
import { penaltyTable } from '../cost.js';
import type { EstimatorParameters, MotionField } from '../estimator.js';
import type { FieldPointers } from './cpu-estimator.js';

/** Bytes that an allocation may take beyond what was asked, by its alignment. */
export const ALIGNMENT_BYTES = 16;

/** Bytes of `allocateField`. */
export function fieldBytes(blocks: number, candidates: number): number {
  return blocks * candidates * 8 + 3 * ALIGNMENT_BYTES;
}

/** Takes the place of an answer: `candidates` vectors for each of `blocks`. */
export function allocateField(memory: KernelMemory, blocks: number, candidates: number): FieldPointers {
  const entries = blocks * candidates;
  return { dx: memory.allocate(2 * entries), dy: memory.allocate(2 * entries), cost: memory.allocate(4 * entries) };
}

/** A copy of the answer at `pointers`, as a search with these parameters gives it. */
export function readField(
  { i16, u32 }: KernelMemory,
  { dx, dy, cost }: FieldPointers,
  { width, height, blockSize, candidatesPerBlock }: EstimatorParameters,
): MotionField {
  const blockColumns = width / blockSize;
  const blockRows = height / blockSize;
  const entries = blockColumns * blockRows * candidatesPerBlock;
  return {
    blockSize,
    blockColumns,
    blockRows,
    candidatesPerBlock,
    dx: i16.slice(dx / 2, dx / 2 + entries),
    dy: i16.slice(dy / 2, dy / 2 + entries),
    cost: u32.slice(cost / 4, cost / 4 + entries),
  };
}

/** Bytes of `allocatePenalties`. */
export function penaltyBytes(reach: { readonly x: number; readonly y: number }): number {
  return 4 * (reach.x + reach.y + 2) + 2 * ALIGNMENT_BYTES;
}

/** Puts the penalty tables for |dx| up to `reach.x` and |dy| up to `reach.y` pels into memory. */
export function allocatePenalties(
  memory: KernelMemory,
  parameters: EstimatorParameters,
  reach: { readonly x: number; readonly y: number },
): { readonly penaltyX: number; readonly penaltyY: number } {
  const place = (length: number): number => {
    const table = penaltyTable(parameters, length);
    const pointer = memory.allocate(table.byteLength);
    memory.u32.set(table, pointer / 4);
    return pointer;
  };
  return { penaltyX: place(reach.x), penaltyY: place(reach.y) };
}
