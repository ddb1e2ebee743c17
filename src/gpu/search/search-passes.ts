// The contract of a search on the GPU: compiled shaders, and the passes that they make for pictures of one size.
import type { FieldShape } from './field-buffer.js';

/** The GPU's copy of one picture. */
export interface PictureSlot {
  readonly index: number;
  /** Takes the luma plane as bytes, row by row without padding, from offset 0 on. */
  readonly pels: GPUBuffer;
}

/** Compiled shaders of a search, for pictures of any size. */
export interface SearchProgram {
  createPasses(width: number, height: number): SearchPasses;
}

/** A search in pictures of one size: its buffers, and the commands that it records. */
export interface SearchPasses {
  /** The answer of the last search, see field-buffer.ts. */
  readonly field: GPUBuffer;
  readonly shape: FieldShape;
  /** Makes room for a picture; indices are 0, 1, 2 ... */
  createSlot(index: number): PictureSlot;
  /** Records the work that is done once per picture, after its pels have come. */
  prepare(pass: GPUComputePassEncoder, slot: PictureSlot): void;
  /** Records the search of one pair. */
  search(pass: GPUComputePassEncoder, current: PictureSlot, reference: PictureSlot): void;
  /** Frees all buffers, those of the slots too. */
  destroy(): void;
}

/** The bind groups of a search, made once for each pair of slots. */
export class PairBindings {
  readonly #known = new Map<string, GPUBindGroup>();

  /** The bind group to search `current` in `reference`; `bind` makes it, with the label that it is given. */
  of(current: PictureSlot, reference: PictureSlot, bind: (label: string) => GPUBindGroup): GPUBindGroup {
    const key = `${current.index}/${reference.index}`;
    const bindings = this.#known.get(key) ?? bind(`bindings${key}`);
    this.#known.set(key, bindings);
    return bindings;
  }
}
