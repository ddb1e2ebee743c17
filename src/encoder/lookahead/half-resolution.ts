import { InternalError } from '../../errors.js';
import { KernelMemory } from '../../kernels/kernel-memory.js';
import type { Kernels } from '../../kernels/kernels.js';
import { createKernels } from '../../kernels/select-kernels.js';
import type { LumaPicture, MotionField } from '../../motion/estimator.js';
import type { Picture } from '../../picture/picture.js';
import { HALF_BLOCK, HalfSearch } from './half-search.js';

/** The luma of a picture at half resolution: the mean of every 2x2 pels, the margin filled by repeating the last pel. */
export interface HalfPicture extends LumaPicture {
  /** Where `pels` begin in kernel memory. */
  readonly pointer: number;
}

/** A picture's plane, and those between its pels. */
const PLANES = 4;

/** Size in pels of a picture at half resolution, as a search wants it: multiples of 16. */
export function halfSize(codedLength: number): number {
  return Math.ceil(codedLength / 32) * 16;
}

/** Pictures at half resolution, as many as are looked at together, and what they cost by themselves. */
export class HalfPictures {
  readonly width: number;
  readonly height: number;
  readonly #memory: KernelMemory;
  readonly #kernels: Kernels;
  /** Room for a picture's luma, for the deviations of all blocks, and for pictures at half resolution. */
  readonly #source: number;
  readonly #deviations: number;
  readonly #free: number[];
  readonly #search: HalfSearch;

  private constructor(memory: KernelMemory, kernels: Kernels, codedWidth: number, codedHeight: number, most: number) {
    this.width = halfSize(codedWidth);
    this.height = halfSize(codedHeight);
    this.#memory = memory;
    this.#kernels = kernels;
    this.#source = memory.allocate(codedWidth * codedHeight);
    this.#deviations = memory.allocate(2 * this.#blocks);
    this.#search = new HalfSearch(memory, kernels, this.width, this.height);
    this.#free = Array.from({ length: most }, () => memory.allocate(PLANES * this.width * this.height));
  }

  /** Room for `most` pictures of a coded size in pels. */
  static async create(codedWidth: number, codedHeight: number, most: number, kernels: string): Promise<HalfPictures> {
    const width = halfSize(codedWidth);
    const height = halfSize(codedHeight);
    const pictures = codedWidth * codedHeight + PLANES * most * width * height + (most + 2) * 16 + 2 * width * height;
    const memory = new KernelMemory(pictures + HalfSearch.bytes(width, height));
    return new HalfPictures(memory, await createKernels(memory, kernels), codedWidth, codedHeight, most);
  }

  /** Takes a picture in. */
  take({ id, y: luma, grid: { codedWidth, codedHeight } }: Picture): HalfPicture {
    const { width, height } = this;
    const pointer = this.#free.pop();
    if (pointer === undefined) throw new InternalError('more pictures are looked at together than there is room for');
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

  /** Gives a picture's room to others. */
  release({ pointer }: HalfPicture): void {
    this.#free.push(pointer);
  }

  /** Sum of |pel - mean| of each 8x8 block in raster order, and the mean of all pels. */
  deviations({ pointer }: HalfPicture): { readonly blocks: Uint16Array; readonly mean: number } {
    const { width, height } = this;
    const total = this.#kernels.deviations8x8(this.#deviations, pointer, width, height);
    const first = this.#deviations >> 1;
    return { blocks: this.#memory.u16.slice(first, first + this.#blocks), mean: total / (width * height) };
  }

  /** Motion of `current` seen from `reference`; see {@link HalfSearch.search} for the guide. */
  search(current: HalfPicture, reference: HalfPicture, guide: MotionField | undefined, part: number): MotionField {
    return this.#search.search(current.pointer, reference.pointer, guide, part);
  }

  /** SAD of the block at pel `at` against the mean of its matches in two others, each given by its vector in half-pels. */
  interpolatedSad(
    at: number,
    current: HalfPicture,
    past: HalfPicture,
    pastDx: number,
    pastDy: number,
    future: HalfPicture,
    futureDx: number,
    futureDy: number,
  ): number {
    return this.#kernels.sadOfMean8x8(
      current.pointer + at,
      this.#match(past, at, pastDx, pastDy),
      this.#match(future, at, futureDx, futureDy),
      this.width,
    );
  }

  #match({ pointer }: HalfPicture, at: number, dx: number, dy: number): number {
    const plane = (dx & 1) + 2 * (dy & 1);
    return pointer + plane * this.width * this.height + at + (dy >> 1) * this.width + (dx >> 1);
  }

  get #blocks(): number {
    return (this.width * this.height) / HALF_BLOCK ** 2;
  }
}
