// Pictures that are prepared and wait for a thread, and which of them is coded next.
import type { KernelMemory } from '../../kernels/kernel-memory.js';
import type { PictureJob } from '../picture/picture-job.js';
import { finalRows, type ReconstructedPicture } from '../picture/reconstructed-picture.js';

/** Pictures that wait, at most: enough for a thread to find one that need not wait for rows. */
export const MAX_WAITING_PICTURES = 5;

/** What the order depends on. */
interface WaitingPicture {
  readonly job: Pick<PictureJob, 'plan' | 'references'>;
}

/** A picture, and whoever waits for what becomes of it. */
interface Waiting<Picture, Coded> {
  readonly picture: Picture;
  readonly settle: (coded: Promise<Coded>) => void;
}

/**
 * Pictures that wait. The next anchor is taken first, as others wait for it; if none waits, a B picture whose anchors
 * are final, so that no thread waits for rows; else the oldest. The order changes nothing of what is coded. Anchors are
 * taken in coded order, and a B picture after its anchors: the rows that a thread waits for are coded by another one.
 */
export class WaitingPictures<Picture extends WaitingPicture, Coded> {
  readonly #memory: KernelMemory;
  readonly #mbHeight: number;
  /** In coded order. */
  readonly #waiting: Waiting<Picture, Coded>[] = [];

  /** For pictures of `mbHeight` rows, the reconstructions of which lie in `memory`. */
  constructor(memory: KernelMemory, mbHeight: number) {
    this.#memory = memory;
    this.#mbHeight = mbHeight;
  }

  get length(): number {
    return this.#waiting.length;
  }

  /** Adds the next picture in coded order; resolves when it has been taken and coded. */
  add(picture: Picture): Promise<Coded> {
    const coded = new Promise<Coded>(settle => this.#waiting.push({ picture, settle }));
    coded.catch(() => {}); // those before it are looked at first
    return coded;
  }

  /** Has `code` code one of the pictures, of which there must be one. */
  take(code: (picture: Picture) => Promise<Coded>): Promise<Coded> {
    const [{ picture, settle }] = this.#waiting.splice(this.#next(), 1) as [Waiting<Picture, Coded>];
    const coded = code(picture);
    settle(coded);
    return coded;
  }

  /** The index of the picture that is taken next. */
  #next(): number {
    const anchor = this.#waiting.findIndex(({ picture }) => picture.job.plan.type !== 'B');
    if (anchor >= 0) return anchor;
    const ready = this.#waiting.findIndex(({ picture: { job } }) => {
      return this.#isFinal(job.references.past) && this.#isFinal(job.references.future);
    });
    return Math.max(0, ready);
  }

  #isFinal(anchor: ReconstructedPicture): boolean {
    return finalRows(this.#memory, anchor) >= this.#mbHeight;
  }
}
