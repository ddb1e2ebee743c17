// Converts pictures of RGB on the CPU: by a kernel, where many of one size come.
import type { KernelMemory } from '../../kernels/kernel-memory.js';
import type { KernelChoice } from '../../kernels/kernels.js';
import { createKernels } from '../../kernels/select-kernels.js';
import type { Frame } from '../../picture/frame.js';
import { RgbConverter } from '../../picture/rgb-converter.js';
import { storedToFrame } from '../../picture/rgb-to-frame.js';

/** Pictures of one size that are converted before the kernel is loaded: few are not worth it. */
const FEW_PICTURES = 4;

/** Makes the frames of pictures with four bytes a pel. */
export class RgbFrames {
  readonly #kernels: KernelChoice;
  #width = 0;
  #height = 0;
  #pictures = 0;
  #converter: RgbConverter | undefined;

  constructor(kernels: KernelChoice) {
    this.#kernels = kernels;
  }

  /** `redAt`: where in a pel its red lies; 2 where its blue comes first. */
  frame(width: number, height: number, bytes: Uint8Array, redAt: 0 | 2 = 0): Frame {
    if (width !== this.#width || height !== this.#height) {
      [this.#width, this.#height, this.#pictures, this.#converter] = [width, height, 0, undefined];
    }
    if (++this.#pictures === FEW_PICTURES) void this.#load(width, height);
    const pels = { width, height, bytes, first: 0, rowBytes: 4 * width, pelBytes: 4, redAt };
    return this.#converter?.frame(pels) ?? storedToFrame(pels);
  }

  /** Where the kernels cannot be had, it goes on without them. */
  async #load(width: number, height: number): Promise<void> {
    const create = (memory: KernelMemory) => createKernels(memory, this.#kernels);
    const converter = await RgbConverter.create(width, height, 4, create).catch(() => undefined);
    if (width === this.#width && height === this.#height) this.#converter = converter;
  }
}
