// Pictures that are prepared and wait for a thread, and which of them is coded next.
import type { KernelMemory } from '../../kernels/kernel-memory.js';
import type { PictureJob } from '../picture/picture-job.js';
import { finalRows, type ReconstructedPicture } from '../picture/reconstructed-picture.js';
import type { CodingThread } from './coding-thread.js';

const MIN_WAITING_PICTURES = 5;
/**
 * How many wait for each thread, and how many of these have room of their own: where more wait, fewer pictures are
 * planned and analysed ahead of them. With a GPU more coder threads code at a time, and memory counts for less.
 */
const WAITING_BESIDE_CPU = { perThread: 1.5, withRoom: 1 };
const WAITING_BESIDE_GPU = { perThread: 2.25, withRoom: 1.5 };

/**
 * Pictures that wait, at most: more than there are threads, so that each finds one that need not wait for rows, and
 * anchors are coded far enough ahead; docs/decisions/threads.md.
 */
export function maxWaitingPictures(threads: number, usesGpu: boolean): number {
  return Math.max(MIN_WAITING_PICTURES, waitingPicturesOfThreads(threads, usesGpu));
}

/** How many wait for so many threads, however few those are. */
export function waitingPicturesOfThreads(threads: number, usesGpu: boolean): number {
  return Math.floor(waitingBeside(usesGpu).perThread * threads);
}

/** How many of them have room of their own. */
export function waitingPicturesWithRoom(threads: number, usesGpu: boolean): number {
  return Math.max(MIN_WAITING_PICTURES, Math.floor(waitingBeside(usesGpu).withRoom * threads));
}

function waitingBeside(usesGpu: boolean) {
  return usesGpu ? WAITING_BESIDE_GPU : WAITING_BESIDE_CPU;
}

/** What the order depends on. */
interface WaitingPicture {
  readonly job: Pick<PictureJob, 'plan' | 'references'>;
  /** What is still done to it before it can be coded; only to anchors. */
  readonly filtering?: { readonly isOver: boolean } | undefined;
}

/** A picture, and whoever waits for what becomes of it. */
interface Waiting<Picture, Coded> {
  readonly picture: Picture;
  readonly settle: (coded: Promise<Coded>) => void;
}

/**
 * Pictures that wait. The next anchor is taken first, as others wait for it. If none waits, or it is still filtered, a
 * B picture whose anchors are final, so that no thread waits for rows; else the oldest. The order changes nothing of
 * what is coded. Anchors are taken in coded order, and a B picture after its anchors: the rows that a thread waits for
 * are coded by another one.
 */
export class WaitingPictures<Picture extends WaitingPicture, Coded> {
  readonly #memory: KernelMemory;
  readonly #mbHeight: number;
  /** In coded order. */
  readonly #waiting: Waiting<Picture, Coded>[] = [];

  /** For pictures of `mbHeight` rows, the anchors of which lie in `memory`. */
  constructor(memory: KernelMemory, mbHeight: number) {
    this.#memory = memory;
    this.#mbHeight = mbHeight;
  }

  get length(): number {
    return this.#waiting.length;
  }

  /** Whether one of them can be coded. */
  get hasNext(): boolean {
    return this.#next() >= 0;
  }

  /** Adds the next picture in coded order; resolves when it has been taken and coded. */
  add(picture: Picture): Promise<Coded> {
    const coded = new Promise<Coded>(settle => this.#waiting.push({ picture, settle }));
    coded.catch(() => {}); // those before it are looked at first
    return coded;
  }

  /**
   * Whether one of them may be given to a busy thread: a B picture whose anchors are final. Others do not wait for it,
   * and it does not wait for rows.
   */
  get hasFollower(): boolean {
    return this.#ready(this.#waiting) >= 0;
  }

  /** Has `code` code the next picture that such a thread may be given; `hasFollower`, or `hasNext`, must be true. */
  take({ isBusy }: Pick<CodingThread, 'isBusy'>, code: (picture: Picture) => Promise<Coded>): Promise<Coded> {
    const index = isBusy ? this.#ready(this.#waiting) : this.#next();
    const [{ picture, settle }] = this.#waiting.splice(index, 1) as [Waiting<Picture, Coded>];
    const coded = code(picture);
    settle(coded);
    return coded;
  }

  /** The index of the picture that is taken next; -1 if none can be coded. */
  #next(): number {
    const anchor = this.#waiting.findIndex(({ picture }) => picture.job.plan.type !== 'B');
    if (anchor >= 0 && this.#waiting[anchor]!.picture.filtering?.isOver !== false) return anchor;
    // B pictures before an anchor that is still filtered do not depend on it.
    const others = anchor < 0 ? this.#waiting : this.#waiting.slice(0, anchor);
    return others.length === 0 ? -1 : Math.max(0, this.#ready(others));
  }

  /** The index of the first B picture whose anchors are final; -1 if there is none. */
  #ready(waiting: readonly Waiting<Picture, Coded>[]): number {
    return waiting.findIndex(({ picture: { job } }) => {
      const { past, future } = job.references;
      return job.plan.type === 'B' && this.#isFinal(past) && this.#isFinal(future);
    });
  }

  #isFinal(anchor: ReconstructedPicture): boolean {
    return finalRows(this.#memory, anchor) >= this.#mbHeight;
  }
}
