// The contract of a search on the GPU: compiled shaders, and the passes that they make for pictures of one size.
import type { FieldShape } from './field-buffer.js';

/** The GPU's copy of one picture. */
export interface PictureSlot {
  readonly index: number;
  /** Takes the luma plane as bytes, row by row without padding, from offset 0 on. It can be copied from there. */
  readonly pels: GPUBuffer;
}

/** The slots of a pair to search. */
export interface SlotPair {
  readonly current: PictureSlot;
  readonly reference: PictureSlot;
}

/** Compiled shaders of a search, for pictures of any size. */
export interface SearchProgram {
  createPasses(width: number, height: number): SearchPasses;
}

/** A search in pictures of one size: its buffers, and the commands that it records. */
export interface SearchPasses {
  readonly shape: FieldShape;
  /** The answer of the search with this number in a submission, see field-buffer.ts; made when it is first needed. */
  field(number: number): GPUBuffer;
  /** Makes room for a picture; indices are 0, 1, 2 ... */
  createSlot(index: number): PictureSlot;
  /** Records the work that is done once per picture, after its pels have come. */
  prepare(pass: GPUComputePassEncoder, slots: readonly PictureSlot[]): void;
  /** Records the searches of a submission, which run side by side; that of pair `number` answers in `field(number)`. */
  search(pass: GPUComputePassEncoder, pairs: readonly SlotPair[]): void;
  /** Frees all buffers, those of the slots too. */
  destroy(): void;
}

/** More than there are slots. */
const SLOTS = 1 << 10;

/** The bind groups of a search, made once for each pair of slots and each number in a submission. */
export class PairBindings {
  readonly #known = new Map<number, GPUBindGroup>();

  /** The bind group of pair `number` of a submission; `bind` makes it, with the label that it is given. */
  of({ current, reference }: SlotPair, number: number, bind: (label: string) => GPUBindGroup): GPUBindGroup {
    const key = (number * SLOTS + current.index) * SLOTS + reference.index;
    let bindings = this.#known.get(key);
    if (!bindings) {
      bindings = bind(`bindings${current.index}/${reference.index}/${number}`);
      this.#known.set(key, bindings);
    }
    return bindings;
  }
}
