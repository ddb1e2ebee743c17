// Keeps the reconstructions that pictures are predicted from, and gives each picture the ones it needs.
import { InternalError } from '../../errors.js';
import type { KernelMemory } from '../../kernels/kernel-memory.js';
import { publishRows, type ReconstructedPicture } from './reconstructed-picture.js';
import type { PlanePointers } from './workspace.js';

/** The reconstructed anchors of a picture; a P picture is predicted from the past one alone. */
export interface Anchors {
  readonly past: PlanePointers;
  readonly future: PlanePointers;
}

/** The anchors of a picture, and where it is reconstructed. An anchor that a picture of its type lacks is any. */
export interface References extends Anchors {
  readonly past: ReconstructedPicture;
  readonly future: ReconstructedPicture;
  readonly target: ReconstructedPicture;
}

/**
 * Hands out reconstructions in coded order. One is used again when no picture that is being coded, or still to come,
 * reads it:
 *
 *     coded   I0     P3      B1       B2       P6
 *     past    -      I0      I0       I0       P3
 *     future  -      -       P3       P3       -
 */
export class ReferencePictures {
  readonly #memory: KernelMemory;
  readonly #free: ReconstructedPicture[];
  /** How many hold a reconstruction that is in use. */
  readonly #holders = new Map<ReconstructedPicture, number>();
  /** The last two anchors in display order. */
  #past: ReconstructedPicture | undefined;
  #future: ReconstructedPicture | undefined;

  constructor(memory: KernelMemory, reconstructions: readonly ReconstructedPicture[]) {
    this.#memory = memory;
    this.#free = [...reconstructions];
  }

  /** Whether there is room for another picture. */
  get hasRoom(): boolean {
    return this.#free.length > 0;
  }

  /** The reconstruction of the newest anchor; there must be one. */
  get newest(): ReconstructedPicture {
    if (!this.#future) throw new InternalError('no picture has been reconstructed yet');
    return this.#future;
  }

  /** The reconstructions for the next picture in coded order, held until they are released. */
  begin(type: 'I' | 'P' | 'B'): References {
    const target = this.#free.pop();
    if (!target) throw new InternalError('all reconstructions are in use');
    publishRows(this.#memory, target, 0);
    const future = type === 'I' ? target : this.#future!;
    const past = type === 'B' ? this.#past! : future;
    const references = { past, future, target };
    for (const picture of [past, future, target]) this.#hold(picture);
    if (type !== 'B') this.#advanceTo(target);
    return references;
  }

  /** The picture has been coded, and its own reconstruction is not read any more except as an anchor. */
  release({ past, future, target }: References): void {
    for (const picture of [past, future, target]) this.#letGo(picture);
  }

  /** An anchor becomes the future one, and the future one the past one. */
  #advanceTo(anchor: ReconstructedPicture): void {
    this.#hold(anchor);
    if (this.#past) this.#letGo(this.#past);
    this.#past = this.#future;
    this.#future = anchor;
  }

  #hold(picture: ReconstructedPicture): void {
    this.#holders.set(picture, (this.#holders.get(picture) ?? 0) + 1);
  }

  #letGo(picture: ReconstructedPicture): void {
    const holders = this.#holders.get(picture)! - 1;
    this.#holders.set(picture, holders);
    if (holders === 0) this.#free.push(picture);
  }
}
