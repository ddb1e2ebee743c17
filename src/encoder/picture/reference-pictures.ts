// Keeps the reconstructions that pictures are predicted from, and gives each picture the ones it needs.
import type { PictureType } from '../../bitstream/picture-type.js';
import { InternalError } from '../../errors.js';
import type { KernelMemory } from '../../kernels/kernel-memory.js';
import { publishRows, type ReconstructedPicture } from './reconstructed-picture.js';
import type { PlanePointers } from './workspace.js';

/** The reconstructed anchors of a picture; a P picture is predicted from the past one alone. */
export interface Anchors {
  readonly past: PlanePointers;
  readonly future: PlanePointers;
}

/** The anchors of a picture, and where it is reconstructed. An anchor that its type does not use may be any picture. */
export interface References extends Anchors {
  readonly past: ReconstructedPicture;
  readonly future: ReconstructedPicture;
  readonly target: ReconstructedPicture;
}

/** The references of a picture that has begun: a B picture has no reconstruction of its own yet. */
export interface BegunReferences extends Omit<References, 'target'> {
  readonly target: ReconstructedPicture | undefined;
}

/**
 * Hands out reconstructions in coded order: to an anchor when it begins, to a B picture when it is coded, since many
 * of them may wait. One is used again when no picture that is being coded, or still to come, reads it:
 *
 *     coded   I0     P3      B1       B2       P6
 *     past    -      I0      I0       I0       P3
 *     future  -      -       P3       P3       -
 *
 * The last free one is for the B picture that has waited longest. It is free again when that one and those before it
 * are coded, none of which waits for a later picture. Some more are for B pictures, too: else anchors, of which there
 * are many where few B pictures lie between them, take all and leave but one thread to code B pictures.
 */
export class ReferencePictures {
  readonly #memory: KernelMemory;
  readonly #free: ReconstructedPicture[];
  /** By reconstruction that is in use, how many hold it. */
  readonly #holders = new Map<ReconstructedPicture, number>();
  /** The last two anchors in display order. */
  #past: ReconstructedPicture | undefined;
  #future: ReconstructedPicture | undefined;
  /** B pictures that have begun and have no reconstruction yet. */
  #waitingCount = 0;
  readonly #forB: number;

  /** `forB`: while so many B pictures wait, anchors leave them so many free reconstructions; 1 or more. */
  constructor(memory: KernelMemory, reconstructions: readonly ReconstructedPicture[], forB: number) {
    this.#memory = memory;
    this.#forB = forB;
    this.#free = [...reconstructions];
  }

  /** Whether a picture of this type may begin. */
  mayBegin(type: PictureType): boolean {
    return type === 'B' || this.#free.length > Math.min(this.#forB, this.#waitingCount);
  }

  /** Whether a B picture that has begun may be coded; `isOldest`: no other one has waited longer. */
  mayComplete(isOldest: boolean): boolean {
    return this.#free.length > (isOldest ? 0 : 1);
  }

  /** The reconstruction of the newest anchor; there must be one. */
  get newest(): ReconstructedPicture {
    if (!this.#future) throw new InternalError('no picture has been reconstructed yet');
    return this.#future;
  }

  /** The reconstructions for the next picture in coded order, held until they are released. */
  begin(type: PictureType): BegunReferences {
    if (type === 'B') {
      const anchors = { past: this.#past!, future: this.#future! };
      for (const anchor of [anchors.past, anchors.future]) this.#hold(anchor);
      this.#waitingCount++;
      return { ...anchors, target: undefined };
    }
    const target = this.#take();
    const anchor = type === 'I' ? target : this.#future!;
    const references = { past: anchor, future: anchor, target };
    for (const picture of [anchor, anchor, target]) this.#hold(picture);
    this.#advanceTo(target);
    return references;
  }

  /** The references of a picture that has begun, with a reconstruction of its own: it is coded now. */
  complete({ past, future, target }: BegunReferences): References {
    if (target) return { past, future, target };
    this.#waitingCount--;
    const own = this.#take();
    this.#hold(own);
    return { past, future, target: own };
  }

  /** The picture has been coded, and its own reconstruction is not read any more except as an anchor. */
  release({ past, future, target }: References): void {
    for (const picture of [past, future, target]) this.#letGo(picture);
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
