// Keeps the reconstructions that pictures are predicted from, and gives each picture the ones it needs.
import type { PictureType } from '../../bitstream/picture-type.js';
import { InternalError } from '../../errors.js';
import type { KernelMemory } from '../../kernels/kernel-memory.js';
import { type PlanePointers, publishRows, type ReconstructedPicture } from './reconstructed-picture.js';

/** The reconstructed anchors of a picture; a P picture is predicted from the past one alone. */
export interface Anchors {
  readonly past: PlanePointers;
  readonly future: PlanePointers;
}

/** The anchors of a picture, and where it is reconstructed. An anchor that its type does not use may be any picture. */
export interface References extends Anchors {
  readonly past: ReconstructedPicture;
  readonly future: ReconstructedPicture;
  /** Undefined for B pictures: see `NonReferencePicture`. */
  readonly target: ReconstructedPicture | undefined;
}

/**
 * Hands out reconstructions to anchors, in coded order. One is used again when no picture that is being coded, or still
 * to come, reads it:
 *
 *     coded   I0     P3      B1       B2       P6
 *     past    -      I0      I0       I0       P3
 *     future  -      -       P3       P3       -
 */
export class ReferencePictures {
  readonly #memory: KernelMemory;
  readonly #free: ReconstructedPicture[];
  /** By reconstruction that is in use, how many hold it. */
  readonly #holders = new Map<ReconstructedPicture, number>();
  /** The last two anchors in display order. */
  #past: ReconstructedPicture | undefined;
  #future: ReconstructedPicture | undefined;

  /** Three reconstructions or more. */
  constructor(memory: KernelMemory, reconstructions: readonly ReconstructedPicture[]) {
    this.#memory = memory;
    this.#free = [...reconstructions];
  }

  /** Whether a picture of this type may begin. */
  mayBegin(type: PictureType): boolean {
    return type === 'B' || this.#free.length > 0;
  }

  /** The reconstruction of the newest anchor; there must be one. */
  get newest(): ReconstructedPicture {
    if (!this.#future) throw new InternalError('no picture has been reconstructed yet');
    return this.#future;
  }

  /** The references of the next picture in coded order, held until they are released. */
  begin(type: PictureType): References {
    const references = type === 'B' ? this.#ofBPicture() : this.#ofAnchor(type);
    for (const picture of held(references)) this.#hold(picture);
    if (references.target) this.#advanceTo(references.target);
    return references;
  }

  /** The picture has been coded, and its own reconstruction is not read any more except as an anchor. */
  release(references: References): void {
    for (const picture of held(references)) this.#letGo(picture);
  }

  #ofBPicture(): References {
    return { past: this.#past!, future: this.#future!, target: undefined };
  }

  #ofAnchor(type: PictureType): References {
    const target = this.#take();
    const anchor = type === 'I' ? target : this.#future!;
    return { past: anchor, future: anchor, target };
  }

  /** A free reconstruction, no row of which is final. */
  #take(): ReconstructedPicture {
    const free = this.#free.pop();
    if (!free) throw new InternalError('all reconstructions are in use');
    publishRows(this.#memory, free, 0);
    return free;
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

function held({ past, future, target }: References): readonly ReconstructedPicture[] {
  return target ? [past, future, target] : [past, future];
}
