// Holds the source pictures and their memory until nothing is searched from them any more.
import type { Frame } from '../../picture/frame.js';
import {
  frameOnBuffer,
  liesIn,
  type MacroblockGrid,
  type Picture,
  pictureBytes,
  pictureFromFrame,
  pictureOnBuffer,
} from '../../picture/picture.js';
import { type RowSpreading, spreadRows } from '../../picture/row-spreading.js';
import { canShareMemory } from '../../threads/shared-memory.js';
import { AnchorWindow } from './anchor-window.js';
import type { PlannedPicture } from './gop-plan.js';

/** Memory of a picture's planes, from byte `first` on: a place in memory that threads share, or a whole buffer. */
export interface PictureMemory {
  readonly buffer: ArrayBufferLike;
  readonly first: number;
}

/**
 * The source pictures by display number. Their memory is used again for later pictures, because the garbage collector
 * frees shared memory late, if at all before an encode ends.
 */
export class SourcePictures {
  readonly #grid: MacroblockGrid;
  readonly #isShared: boolean;
  readonly #pictures = new AnchorWindow<Picture>();
  /** Memory that is free, the next to be taken at the end. Where there is none, pictures get memory of their own. */
  readonly free: PictureMemory[] = [];
  /** Fills the margins of rows that are no whole number of macroblocks wide. */
  spread: RowSpreading = spreadRows;
  /** By buffer: the bytes at which frames begin that were given out and have not been added. */
  readonly #given = new WeakMap<ArrayBufferLike, Set<number>>();
  /** Pictures that the coder needs no more and others may still read. */
  #released: Picture[] = [];
  /** How many pictures have been coded. */
  codedCount = 0;

  /** `isForThreads`: threads read the pictures, in place where memory can be shared. */
  constructor(grid: MacroblockGrid, isForThreads: boolean) {
    this.#grid = grid;
    this.#isShared = isForThreads && canShareMemory();
  }

  /** A frame to be filled, in the memory of a picture to come. */
  newFrame(): Frame {
    const { buffer, first } = this.#takeMemory();
    const given = this.#given.get(buffer) ?? new Set();
    this.#given.set(buffer, given.add(first));
    return frameOnBuffer(this.#grid, buffer, first);
  }

  /** A free place in memory that threads share, if there is one; who takes it gives it back to `free`. */
  takePlace(): PictureMemory | undefined {
    const hasPlace = (this.free.at(-1)?.first ?? 0) > 0;
    return hasPlace ? this.free.pop() : undefined;
  }

  /** How many pictures are still to be coded or searched from. */
  get count(): number {
    return this.#pictures.count;
  }

  /** Makes a picture of a frame; its id is the display number. A frame that was given out here is not copied. */
  add(displayNumber: number, frame: Frame): Picture {
    const { buffer, first } = this.#takeGiven(frame) ?? this.#takeMemory();
    const picture = pictureFromFrame(displayNumber, frame, this.#grid, buffer, first, this.spread);
    this.#pictures.add(displayNumber, picture);
    return picture;
  }

  /** A picture that is still to be coded or searched from. */
  get(displayNumber: number): Picture {
    return this.#pictures.get(displayNumber);
  }

  /**
   * A picture has been coded, and with it every picture that precedes it in coded order. The memory of a picture is
   * used again when `isRead` says that nobody reads it any more.
   */
  coded({ displayNumber, type }: PlannedPicture, isRead: (displayNumber: number) => boolean): void {
    this.codedCount++;
    const dropped = type === 'B' ? [this.#pictures.remove(displayNumber)] : this.#pictures.advanceTo(displayNumber);
    const released = [...this.#released, ...dropped];
    this.#released = released.filter(({ id }) => isRead(id));
    for (const { id, y, gpu } of released) {
      if (isRead(id)) continue;
      const free = { buffer: y.buffer, first: y.byteOffset };
      // Places are taken first.
      if (free.first > 0) this.free.push(free);
      else this.free.unshift(free);
      gpu?.onRelease?.();
    }
  }

  /** The memory of a frame that was given out here. */
  #takeGiven(frame: Frame): PictureMemory | undefined {
    const { buffer, byteOffset: first } = frame.y;
    const given = this.#given.get(buffer);
    if (!given?.has(first) || !liesIn(frame, pictureOnBuffer(0, this.#grid, buffer, first))) return undefined;
    given.delete(first);
    return { buffer, first };
  }

  #takeMemory(): PictureMemory {
    const free = this.free.pop();
    if (free) return free;
    const bytes = pictureBytes(this.#grid);
    return { buffer: this.#isShared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes), first: 0 };
  }
}
