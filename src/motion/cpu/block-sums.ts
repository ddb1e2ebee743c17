// The block sums that elimination needs of a reference plane, made when the plane is first searched.
import { ALIGNMENT_BYTES, type KernelMemory } from '../../kernels/kernel-memory.js';
import type { Kernels } from '../../kernels/kernels.js';

/** Pointers to the sums of the 4x4, 8x8 and 16x16 blocks of a plane; see `SearchKernels.blockSums`. */
export interface BlockSumPointers {
  readonly sums4: number;
  readonly sums8: number;
  readonly sums16: number;
}

/** Kernel memory for the block sums of one plane. */
export class BlockSums {
  readonly #pointers: BlockSumPointers;
  #areCurrent = false;

  /** Bytes that the sums of a plane of `pels` pels take. */
  static bytes(pels: number): number {
    return 3 * (2 * pels + ALIGNMENT_BYTES);
  }

  constructor(memory: KernelMemory, pels: number) {
    this.#pointers = {
      sums4: memory.allocate(2 * pels),
      sums8: memory.allocate(2 * pels),
      sums16: memory.allocate(2 * pels),
    };
  }

  /** To be called when the plane gets new pels. */
  invalidate(): void {
    this.#areCurrent = false;
  }

  /** The sums of the plane at `plane`; computes them unless they are current. */
  of(kernels: Kernels, plane: number, width: number, height: number): BlockSumPointers {
    const { sums4, sums8, sums16 } = this.#pointers;
    if (!this.#areCurrent) kernels.blockSums(sums4, sums8, sums16, plane, width, height);
    this.#areCurrent = true;
    return this.#pointers;
  }
}
