// A thread that codes pictures, as the coding loop sees it; and the calling thread as one.
import type { PictureJob } from '../picture/picture-job.js';
import type { CodedPicture } from './coded-picture.js';
import type { Coder } from './coder.js';

/** A thread that codes one picture at a time. */
export interface CodingThread {
  /** Codes a picture. Rejects with InputError for a motion field of the wrong size. */
  code(job: PictureJob): Promise<CodedPicture>;
}

/** The calling thread: it does nothing else while it codes. */
export class OwnThread implements CodingThread {
  constructor(readonly coder: Coder) {}

  async code(job: PictureJob): Promise<CodedPicture> {
    return this.coder.code(job);
  }
}
