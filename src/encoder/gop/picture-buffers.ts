import { type MacroblockGrid, type Picture, pictureBytes } from '../../picture/picture.js';
import type { PlannedPicture } from './gop-plan.js';

/**
 * The memory of source pictures, used again when a picture is done with: shared memory in particular is given back late
 * by the garbage collector, if at all before an encode ends.
 */
export class PictureBuffers {
  readonly #bytes: number;
  readonly #shared: boolean;
  readonly #free: ArrayBufferLike[] = [];
  /** The newest anchors coded, oldest first. */
  readonly #anchors: Picture[] = [];

  /** `shared`: worker threads read the pictures. */
  constructor(grid: MacroblockGrid, shared: boolean) {
    this.#bytes = pictureBytes(grid);
    this.#shared = shared;
  }

  /** Room for one picture. */
  take(): ArrayBufferLike {
    return this.#free.pop() ?? (this.#shared ? new SharedArrayBuffer(this.#bytes) : new ArrayBuffer(this.#bytes));
  }

  /**
   * A picture has been coded. A B picture is done with; an anchor is searched from until the B pictures on both its sides are
   * coded, which they are when the second anchor after it is.
   */
  coded(picture: Picture, { type }: PlannedPicture): void {
    if (type === 'B') {
      this.#free.push(picture.y.buffer);
      return;
    }
    this.#anchors.push(picture);
    if (this.#anchors.length > 2) this.#free.push(this.#anchors.shift()!.y.buffer);
  }
}
