// What macroblocks of source pictures cost: pels in kernel memory, deviations, SADs against one picture or two.
import { InternalError } from '../../../errors.js';
import { ALIGNMENT_BYTES, type KernelMemory } from '../../../kernels/kernel-memory.js';
import type { KernelChoice, Kernels } from '../../../kernels/kernels.js';
import { kernelMemory } from '../../../kernels/memory-room.js';
import { createKernels } from '../../../kernels/select-kernels.js';
import type { MacroblockGrid } from '../../../picture/picture.js';

/** A luma plane in kernel memory. */
export interface SourcePlane {
  /** Room for a copy. */
  readonly own: number;
  /** The address of its pels; rows are tight. */
  pointer: number;
}

/** A vector for each macroblock in raster order, in pels. */
export interface MacroblockVectors {
  readonly dx: Int16Array;
  readonly dy: Int16Array;
}

/** Components of the two vectors of a macroblock. */
const COMPONENTS = 4;

/** Room for the luma of a fixed number of source pictures, and their costs. */
export class SourceCosts {
  readonly #grid: MacroblockGrid;
  readonly #memory: KernelMemory;
  readonly #kernels: Kernels;
  /** Addresses of the deviations, the SADs and the vectors of all macroblocks. */
  readonly #deviations: number;
  readonly #sads: number;
  readonly #vectors: number;
  /** Addresses where a picture may be put. */
  readonly #free: number[];

  private constructor(grid: MacroblockGrid, memory: KernelMemory, kernels: Kernels, maxPictures: number) {
    const macroblocks = grid.mbWidth * grid.mbHeight;
    this.#grid = grid;
    this.#memory = memory;
    this.#kernels = kernels;
    this.#deviations = memory.allocate(2 * macroblocks);
    this.#sads = memory.allocate(4 * macroblocks);
    this.#vectors = memory.allocate(2 * COMPONENTS * macroblocks);
    this.#free = Array.from({ length: maxPictures }, () => memory.allocate(grid.codedWidth * grid.codedHeight));
  }

  /** Room for `maxPictures` pictures of a grid. */
  static async create(grid: MacroblockGrid, maxPictures: number, kernels: KernelChoice): Promise<SourceCosts> {
    const { codedWidth, codedHeight, mbWidth, mbHeight } = grid;
    const perMacroblock = (2 + 4 + 2 * COMPONENTS) * mbWidth * mbHeight;
    const bytes = maxPictures * codedWidth * codedHeight + perMacroblock + (maxPictures + 3) * ALIGNMENT_BYTES;
    const memory = kernelMemory(bytes, kernels);
    return new SourceCosts(grid, memory, await createKernels(memory, kernels), maxPictures);
  }

  /** Takes room for a picture. */
  take(): SourcePlane {
    const own = this.#free.pop();
    if (own === undefined) throw new InternalError('the lookahead keeps more pictures than it has room for');
    return { own, pointer: own };
  }

  /** Takes the luma of a picture, rows tight: where it lies if that is in the same memory, else as a copy. */
  fill(plane: SourcePlane, luma: Uint8Array): void {
    plane.pointer = this.#memory.addressOf(luma) || plane.own;
    if (plane.pointer === plane.own) this.#memory.u8.set(luma, plane.own);
  }

  /** Gives a picture's room free for others. */
  release({ own }: SourcePlane): void {
    this.#free.push(own);
  }

  /** What each macroblock costs without a prediction, see `macroblockDeviations`; and the mean of all pels. */
  deviations({ pointer }: SourcePlane): { readonly intra: Uint16Array; readonly mean: number } {
    const { codedWidth, codedHeight, mbWidth, mbHeight } = this.#grid;
    const total = this.#kernels.macroblockDeviations(this.#deviations, pointer, codedWidth, codedHeight);
    const first = this.#deviations >> 1;
    return {
      intra: this.#memory.u16.slice(first, first + mbWidth * mbHeight),
      mean: total / (codedWidth * codedHeight),
    };
  }

  /** SAD of each macroblock of `current` against its match in `reference`. */
  sads(current: SourcePlane, reference: SourcePlane, vectors: MacroblockVectors): Uint16Array {
    return this.interpolatedSads(current, reference, vectors, reference, vectors);
  }

  /** SAD of each macroblock of `current` against the mean of its matches in two pictures. */
  interpolatedSads(
    current: SourcePlane,
    past: SourcePlane,
    toPast: MacroblockVectors,
    future: SourcePlane,
    toFuture: MacroblockVectors,
  ): Uint16Array {
    const { mbWidth, mbHeight } = this.#grid;
    const macroblocks = mbWidth * mbHeight;
    const { i16, u32 } = this.#memory;
    [toPast.dx, toPast.dy, toFuture.dx, toFuture.dy].forEach((components, i) => {
      i16.set(components, (this.#vectors >> 1) + i * macroblocks);
    });
    this.#kernels.interpolatedSads(
      this.#sads,
      this.#vectors,
      current.pointer,
      past.pointer,
      future.pointer,
      mbWidth,
      mbHeight,
    );
    return new Uint16Array(u32.subarray(this.#sads >> 2, (this.#sads >> 2) + macroblocks));
  }
}
