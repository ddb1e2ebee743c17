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
import { canShareMemory } from '../../threads/shared-memory.js';
import { AnchorWindow } from './anchor-window.js';
import type { PlannedPicture } from './gop-plan.js';

/**
 * The source pictures by display number. Their memory is used again for later pictures, because the garbage collector
 * frees shared memory late, if at all before an encode ends.
 */
export class SourcePictures {
  readonly #grid: MacroblockGrid;
  readonly #isShared: boolean;
  readonly #pictures = new AnchorWindow<Picture>();
  readonly #freeBuffers: ArrayBufferLike[] = [];
  /** The memory of the frames that were given out and have not been added. */
  readonly #given = new WeakSet<ArrayBufferLike>();
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
    const buffer = this.#takeBuffer();
    this.#given.add(buffer);
    return frameOnBuffer(this.#grid, buffer);
  }

  /** Makes a picture of a frame; its id is the display number. A frame that was given out here is not copied. */
  add(displayNumber: number, frame: Frame): Picture {
    const { buffer } = frame.y;
    const isOurs = this.#given.has(buffer) && liesIn(frame, pictureOnBuffer(displayNumber, this.#grid, buffer));
    if (isOurs) this.#given.delete(buffer);
    const picture = pictureFromFrame(displayNumber, frame, this.#grid, isOurs ? buffer : this.#takeBuffer());
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
      this.#freeBuffers.push(y.buffer);
      gpu?.onRelease?.();
    }
  }

  #takeBuffer(): ArrayBufferLike {
    const free = this.#freeBuffers.pop();
    if (free) return free;
    const bytes = pictureBytes(this.#grid);
    return this.#isShared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes);
  }
}
