// Lays out the fields, penalty tables and job settings of a CPU search in kernel memory.
import { ALIGNMENT_BYTES, type KernelMemory } from '../../kernels/kernel-memory.js';
import { penaltyTable, type SearchArea } from '../cost.js';
import type { EstimatorParameters, Metric, MotionField } from '../estimator.js';

/** Pointers to the vectors and costs of a field: i16, i16 and u32 entries, in the order of `MotionField`. */
export interface FieldPointers {
  readonly dx: number;
  readonly dy: number;
  readonly cost: number;
}

/** Bytes that `allocateField` takes. */
export function fieldBytes(blocks: number, candidates: number): number {
  return blocks * candidates * 8 + 3 * ALIGNMENT_BYTES;
}

/** Makes room for a field: `candidates` vectors for each of `blocks`, all zero. */
export function allocateField(memory: KernelMemory, blocks: number, candidates: number): FieldPointers {
  const entries = blocks * candidates;
  return { dx: memory.allocate(2 * entries), dy: memory.allocate(2 * entries), cost: memory.allocate(4 * entries) };
}

/**
 * A copy of the field that a search with these parameters has written. With `borrowsCosts`, costs are not copied: the
 * next search overwrites them.
 */
export function readField(
  { i16, u32 }: KernelMemory,
  { dx, dy, cost }: FieldPointers,
  { width, height, blockSize, candidatesPerBlock }: EstimatorParameters,
  borrowsCosts = false,
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
    cost: borrowsCosts ? u32.subarray(cost / 4, cost / 4 + entries) : u32.slice(cost / 4, cost / 4 + entries),
  };
}

/** Largest |dx| and |dy| in pels. */
interface Reach {
  readonly x: number;
  readonly y: number;
}

/** Bytes that `allocatePenalties` takes. */
export function penaltyBytes(reach: Reach): number {
  return 4 * (reach.x + reach.y + 2) + 2 * ALIGNMENT_BYTES;
}

/** Writes the penalty tables for |dx| up to `reach.x` and |dy| up to `reach.y`; returns pointers to them. */
export function allocatePenalties(
  memory: KernelMemory,
  parameters: SearchArea & Pick<EstimatorParameters, 'lambda'>,
  reach: Reach,
): { readonly penaltyX: number; readonly penaltyY: number } {
  const allocateTable = (maxDisplacement: number): number => {
    const table = penaltyTable(parameters, maxDisplacement);
    const pointer = memory.allocate(table.byteLength);
    memory.u32.set(table, pointer / 4);
    return pointer;
  };
  return { penaltyX: allocateTable(reach.x), penaltyY: allocateTable(reach.y) };
}

/** What a search job takes from the parameters: for a level of a pyramid, sizes and reach in pels of that level. */
export function jobSettings(
  { width, height, blockSize, metric, candidatesPerBlock }: PlaneParameters,
  reach: Reach,
): {
  readonly width: number;
  readonly height: number;
  readonly blockSize: number;
  readonly metric: number;
  readonly rangeX: number;
  readonly rangeY: number;
  readonly candidates: number;
} {
  return {
    width,
    height,
    blockSize,
    metric: metric === 'sse' ? 1 : 0,
    rangeX: reach.x,
    rangeY: reach.y,
    candidates: candidatesPerBlock,
  };
}

/** Estimator parameters, or what stands for them at a level of a pyramid. */
interface PlaneParameters {
  readonly width: number;
  readonly height: number;
  readonly blockSize: number;
  readonly metric: Metric;
  readonly candidatesPerBlock: number;
}
