// Converts RGB images of one size to frames by a kernel.
import type { PictureKernels } from '../kernels/contracts/picture-kernels.js';
import { KernelMemory } from '../kernels/kernel-memory.js';
import { AlignedCopy } from './aligned-copy.js';
import { chromaLength, type Frame, frameToFill, i420Bytes } from './frame.js';
import type { StoredPels } from './rgb-to-frame.js';

/** Bytes that a row may have beside its pels. */
const ROW_PADDING = 3;
/** What a kernel may read beyond the pels; allocations, each of which is aligned, take less. */
const BEYOND_BYTES = 16;
const ALLOCATIONS = 4;

/** Converts images of one size as `rgbToFrame` does. */
export class RgbConverter {
  readonly #memory: KernelMemory;
  readonly #kernels: Pick<PictureKernels, 'convertRgb'>;
  readonly #copies = new AlignedCopy();
  /** Addresses of an image's pels and of the planes. */
  readonly #pels: number;
  readonly #y: number;
  readonly #u: number;
  readonly #v: number;

  /** For images of a size, with at most `pelBytes` a pel. Rejects as `createKernels` does. */
  static async create(
    width: number,
    height: number,
    pelBytes: 3 | 4,
    createKernels: (memory: KernelMemory) => Promise<Pick<PictureKernels, 'convertRgb'>>,
  ): Promise<RgbConverter> {
    const imageBytes = (pelBytes * width + ROW_PADDING) * height + BEYOND_BYTES;
    const memory = new KernelMemory(imageBytes + i420Bytes(width, height) + ALLOCATIONS * BEYOND_BYTES);
    return new RgbConverter(memory, await createKernels(memory), imageBytes, { width, height });
  }

  private constructor(
    memory: KernelMemory,
    kernels: Pick<PictureKernels, 'convertRgb'>,
    imageBytes: number,
    { width, height }: Pick<Frame, 'width' | 'height'>,
  ) {
    const chromaPels = chromaLength(width) * chromaLength(height);
    this.#memory = memory;
    this.#kernels = kernels;
    this.#pels = memory.allocateUnset(imageBytes);
    this.#y = memory.allocateUnset(width * height);
    this.#u = memory.allocateUnset(chromaPels);
    this.#v = memory.allocateUnset(chromaPels);
  }

  /** The frame of an image: `frame`, if there is one to be filled. */
  frame(image: StoredPels, frame: Frame = frameToFill(image.width, image.height, undefined)): Frame {
    const { width, height, bytes, first, rowBytes, pelBytes, redAt } = image;
    const { u8 } = this.#memory;
    const lowest = Math.min(first, first + (height - 1) * rowBytes);
    const length = Math.abs(rowBytes) * (height - 1) + pelBytes * width;
    const stored = bytes.subarray(lowest, lowest + length);
    this.#copies.copy(u8, stored, this.#pels);
    // Of the last row a few bytes may be missing.
    u8.fill(0, this.#pels + stored.length, this.#pels + length);
    const pels = this.#pels + first - lowest;
    this.#kernels.convertRgb(this.#y, this.#u, this.#v, pels, rowBytes, pelBytes, redAt, width, height);
    this.#copyTo(frame.y, this.#y);
    this.#copyTo(frame.u, this.#u);
    this.#copyTo(frame.v, this.#v);
    return frame;
  }

  #copyTo(plane: Uint8Array, address: number): void {
    plane.set(this.#memory.u8.subarray(address, address + plane.length));
  }
}
