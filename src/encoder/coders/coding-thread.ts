// What the coding loop sees of the coders: threads that code pictures; and the calling thread as one.
import type { KernelMemory } from '../../kernels/kernel-memory.js';
import type { PlannedPicture } from '../gop/gop-plan.js';
import type { PictureJob } from '../picture/picture-job.js';
import type { ReferencePictures } from '../picture/reference-pictures.js';
import type { CodedPicture } from './coded-picture.js';
import type { Coder } from './coder.js';

/** Called with what a thread has coded; returns the job to code the picture again with, or undefined if it is done. */
export type CodeAgain = (coded: CodedPicture) => PictureJob | undefined;

/** A thread that codes one picture at a time. */
export interface CodingThread {
  /** Whether it still codes another picture. */
  readonly isBusy: boolean;
  /**
   * Codes a picture, and codes it again as long as `again` asks for it; resolves with what was coded last. In between
   * the thread may code one that it was given meanwhile. Rejects with InputError for a motion field of the wrong size.
   */
  code(job: PictureJob, again?: CodeAgain): Promise<CodedPicture>;
}

/** Codes pictures, several side by side if there are threads for it. */
export interface Coders {
  /** The memory in which they work. */
  readonly memory: KernelMemory;
  readonly references: ReferencePictures;
  /** How many pictures can be coded at a time. */
  readonly count: number;
  /**
   * Resolves with a thread that codes nothing; or, if there is none, one that is busy, if few threads code and
   * `mayFollow` says that a picture waits which may be given to such a one. A picture is given to a thread after its
   * anchors.
   */
  nextThread(mayFollow?: () => boolean): Promise<CodingThread>;
  /** A P picture that repeats the newest anchor. Only for coders whose `count` is 1. */
  repetition(plan: PlannedPicture): CodedPicture;
  /** The bytes of sequence_end_code. */
  sequenceEnd(): Uint8Array;
  /** Ends the threads; pictures under way are given up. */
  close(): Promise<void>;
}

/** A thread that has this coder. It codes one picture after the other, whenever they are given to it. */
export class CoderInTurn implements CodingThread {
  readonly isBusy = false;
  readonly #coder: Coder;
  #last: Promise<unknown> = Promise.resolve();

  constructor(coder: Coder) {
    this.#coder = coder;
  }

  code(job: PictureJob, again?: CodeAgain): Promise<CodedPicture> {
    const coded = this.#last.then(() => this.#codeUntilDone(job, again));
    this.#last = coded.catch(() => {}); // whoever waits for it is told
    return coded;
  }

  async #codeUntilDone(job: PictureJob, again?: CodeAgain): Promise<CodedPicture> {
    for (let next: PictureJob = job; ; ) {
      const coded = await this.#coder.code(next);
      const another = again?.(coded);
      if (!another) return coded;
      next = another;
    }
  }
}
