// Pictures at half resolution in kernel memory, as the lookahead searches them.
import { InternalError } from '../../errors.js';
import { KernelMemory } from '../../kernels/kernel-memory.js';
import type { Kernels } from '../../kernels/kernels.js';
import { createKernels } from '../../kernels/select-kernels.js';
import type { LumaPicture, MotionField } from '../../motion/estimator.js';
import type { Picture } from '../../picture/picture.js';
import { HALF_BLOCK, HalfSearch } from './half-search.js';

/** The luma of a picture at half resolution: the mean of every 2x2 pels. Its margin repeats the last pel. */
export interface HalfPicture extends LumaPicture {
  /** Address of `pels` in kernel memory. */
  readonly pointer: number;
}

/** Planes of a picture: its pels, and three of half-pels between them. */
const PLANES = 4;

/** Width or height of a picture at half resolution in pels: a multiple of 16, as a search needs it. */
export function halfSize(codedLength: number): number {
  return Math.ceil(codedLength / 32) * 16;
}

/** Room for a fixed number of pictures at half resolution, with the searches among them. */
export class HalfPictures {
  readonly width: number;
  readonly height: number;
  readonly #memory: KernelMemory;
  readonly #kernels: Kernels;
  /** Address of a source picture's luma. */
  readonly #source: number;
  /** Address of the deviations of all blocks. */
  readonly #deviations: number;
  /** Addresses where a picture may be put. */
  readonly #free: number[];
  readonly #search: HalfSearch;

  private constructor(
    memory: KernelMemory,
    kernels: Kernels,
    codedWidth: number,
    codedHeight: number,
    maxPictures: number,
  ) {
    this.width = halfSize(codedWidth);
    this.height = halfSize(codedHeight);
    this.#memory = memory;
    this.#kernels = kernels;
    this.#source = memory.allocate(codedWidth * codedHeight);
    this.#deviations = memory.allocate(2 * this.#blocks);
    this.#search = new HalfSearch(memory, kernels, this.width, this.height);
    this.#free = Array.from({ length: maxPictures }, () => memory.allocate(PLANES * this.width * this.height));
  }

  /** Room for `maxPictures` pictures of a coded size in pels. */
  static async create(
    codedWidth: number,
    codedHeight: number,
    maxPictures: number,
    kernels: string,
  ): Promise<HalfPictures> {
    const width = halfSize(codedWidth);
    const height = halfSize(codedHeight);
    const pictures =
      codedWidth * codedHeight + PLANES * maxPictures * width * height + (maxPictures + 2) * 16 + 2 * width * height;
    const memory = new KernelMemory(pictures + HalfSearch.bytes(width, height));
    return new HalfPictures(memory, await createKernels(memory, kernels), codedWidth, codedHeight, maxPictures);
  }

  /** Adds a picture. */
  add({ id, y: luma, grid: { codedWidth, codedHeight } }: Picture): HalfPicture {
    const { width, height } = this;
    const pointer = this.#free.pop();
    if (pointer === undefined) throw new InternalError('the lookahead keeps more pictures than it has room for');
    const pels = this.#memory.u8.subarray(pointer, pointer + width * height);
    this.#memory.u8.set(luma, this.#source);
    this.#kernels.halveByMeans(pointer, width, this.#source, codedWidth, codedHeight);
    const filled = codedWidth >> 1;
    const rows = codedHeight >> 1;
    if (filled < width) {
      for (let row = 0; row < rows * width; row += width) {
        pels.fill(pels[row + filled - 1]!, row + filled, row + width);
      }
    }
    for (let y = rows; y < height; y++) pels.copyWithin(y * width, (rows - 1) * width, rows * width);
    this.#kernels.halfPelPlanes(pointer, width, height);
    return { id, width, height, pels, pointer };
  }

  /** Gives a picture's room free for others. */
  release({ pointer }: HalfPicture): void {
    this.#free.push(pointer);
  }

  /** The sum of |pel - mean of the block| of each 8x8 block in raster order, and the mean of all pels. */
  deviations({ pointer }: HalfPicture): { readonly blocks: Uint16Array; readonly mean: number } {
    const { width, height } = this;
    const total = this.#kernels.deviations8x8(this.#deviations, pointer, width, height);
    const first = this.#deviations >> 1;
    return { blocks: this.#memory.u16.slice(first, first + this.#blocks), mean: total / (width * height) };
  }

  /** The vectors of `current` into `reference`; see {@link HalfSearch.search}. */
  search(current: HalfPicture, reference: HalfPicture, guide: MotionField | undefined, part: number): MotionField {
    return this.#search.search(current.pointer, reference.pointer, guide, part);
  }

  /** SAD of the block at pel `at` against the mean of its matches in two pictures; vectors in half-pels. */
  interpolatedSad(
    at: number,
    current: HalfPicture,
    past: HalfPicture,
    pastDxHalfPels: number,
    pastDyHalfPels: number,
    future: HalfPicture,
    futureDxHalfPels: number,
    futureDyHalfPels: number,
  ): number {
    return this.#kernels.sadOfMean8x8(
      current.pointer + at,
      this.#match(past, at, pastDxHalfPels, pastDyHalfPels),
      this.#match(future, at, futureDxHalfPels, futureDyHalfPels),
      this.width,
    );
  }

  /**
   * Address of the block that a vector points to: the half-pel plane by the lowest bits, the pel in it by the others.
   */
  #match({ pointer }: HalfPicture, at: number, dxHalfPels: number, dyHalfPels: number): number {
    const plane = (dxHalfPels & 1) + 2 * (dyHalfPels & 1);
    return pointer + plane * this.width * this.height + at + (dyHalfPels >> 1) * this.width + (dxHalfPels >> 1);
  }

  get #blocks(): number {
    return (this.width * this.height) / HALF_BLOCK ** 2;
  }
}
