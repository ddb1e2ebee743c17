// How a run tells how much of it is done.
import type { FrameRate } from '../bitstream/tables/frame-rate.js';

/** What is being done. */
export interface Work {
  /** Which part of the command, such as `pass 1 of 2`. */
  readonly label?: string | undefined;
  /** What is counted; default `pictures`. */
  readonly unit?: string;
  /** Frame rate of the coded video, for its bit rate. */
  readonly frameRate?: FrameRate;
}

/** A coded picture in figures. */
export interface CodedPicture {
  readonly bits: number;
  /** Mean quantizer_scale. */
  readonly q: number;
}

/** Shows how much of the work is done. */
export interface Progress {
  /** So many pictures are done; `picture` is the one that was coded last. */
  update(done: number, picture?: CodedPicture): void;
  /** A part of the work begins, such as `chunk 3 of 12`. */
  begin(part: string): void;
  /** Ends the display. Does nothing when called again. */
  stop(): void;
}

/** Shows nothing. */
export const NO_PROGRESS: Progress = { update: () => {}, begin: () => {}, stop: () => {} };

/** Makes the progress display once the number of pictures to expect is known; undefined if it cannot be known. */
export type ShowProgress = (expected: number | undefined, work?: Work) => Progress;
