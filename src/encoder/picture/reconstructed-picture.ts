// A reconstructed picture in kernel memory that several threads share, and how much of it is final.
import type { KernelMemory } from '../../kernels/kernel-memory.js';
import { ALIGNMENT_BYTES } from '../../kernels/kernel-memory.js';
import type { MacroblockGrid } from '../../picture/picture.js';
import { allocatePlanes, type PlanePointers, planesBytes } from './workspace.js';

/** A reconstruction and what belongs to it. */
export interface ReconstructedPicture extends PlanePointers {
  /** Pointer to an int32: how many rows of macroblocks, from the top, are final. */
  readonly finalRows: number;
  /** Pointer to a byte per macroblock: how many times in a row it has been predicted. Of anchors only. */
  readonly predictions: number;
}

/** The bytes of kernel memory that a reconstruction takes. */
export function reconstructionBytes(grid: MacroblockGrid): number {
  return planesBytes(grid) + 4 + grid.mbWidth * grid.mbHeight + 2 * ALIGNMENT_BYTES;
}

/** Takes room for a reconstruction. */
export function allocateReconstruction(memory: KernelMemory, grid: MacroblockGrid): ReconstructedPicture {
  return {
    ...allocatePlanes(memory, grid),
    finalRows: memory.allocate(4),
    predictions: memory.allocate(grid.mbWidth * grid.mbHeight),
  };
}

/** Says that `rows` rows of macroblocks are final, and wakes the threads that wait for them. */
export function publishRows({ i32 }: KernelMemory, { finalRows }: ReconstructedPicture, rows: number): void {
  Atomics.store(i32, finalRows >> 2, rows);
  Atomics.notify(i32, finalRows >> 2);
}

/** How many rows of macroblocks are final. */
export function finalRows({ i32 }: KernelMemory, picture: ReconstructedPicture): number {
  return Atomics.load(i32, picture.finalRows >> 2);
}
