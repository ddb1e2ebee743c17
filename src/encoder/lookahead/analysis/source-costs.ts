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

/**
 * How the cost of a macroblock follows from its error: with its relative squared error r = (perError * error)^2, the
 * power is r + anchorError - noiseShare * min(lostNoise, r * maxLost). See `CodingCosts`.
 */
export type CostParameters = readonly [
  perError: number,
  anchorError: number,
  noiseShare: number,
  lostNoise: number,
  maxLost: number,
];

/** A sum, a product and five parameters, as f64; see `sumCodingCosts`. */
const SUMS_BYTES = 7 * 8;
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
  readonly #sums: number;
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
    this.#sums = memory.allocate(SUMS_BYTES);
    this.#free = Array.from({ length: maxPictures }, () => memory.allocateUnset(grid.codedWidth * grid.codedHeight));
  }

  /** Room for `maxPictures` pictures of a grid. */
  static async create(grid: MacroblockGrid, maxPictures: number, kernels: KernelChoice): Promise<SourceCosts> {
    const { codedWidth, codedHeight, mbWidth, mbHeight } = grid;
    const perMacroblock = (2 + 4 + 2 * COMPONENTS) * mbWidth * mbHeight;
    const bytes =
      maxPictures * codedWidth * codedHeight + perMacroblock + SUMS_BYTES + (maxPictures + 4) * ALIGNMENT_BYTES;
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

  /**
   * The sum over the macroblocks of a picture: of the power where that is below 1, else of 1 and the logarithm of the
   * power. The error of a macroblock is its SAD, or its cost as intra if that is smaller.
   */
  sumCodingCosts(sad: Uint16Array, intra: Uint16Array, parameters: CostParameters): number {
    const { u16, u32, f64 } = this.#memory;
    u32.set(sad, this.#sads >> 2);
    u16.set(intra, this.#deviations >> 1);
    const sums = this.#sums >> 3;
    f64.set([0, 1, ...parameters], sums);
    // A sum of logarithms is the logarithm of a product.
    for (let first = 0; first < sad.length; ) {
      first = this.#kernels.sumCodingCosts(this.#sums, this.#sads, this.#deviations, first, sad.length);
      f64[sums]! += Math.log(f64[sums + 1]!);
      f64[sums + 1] = 1;
    }
    return f64[sums]!;
  }
}
