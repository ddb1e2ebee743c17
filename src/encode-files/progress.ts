// Who is told how much of a run is done.

/** Shows how much of the work is done. */
export interface Progress {
  /** So many frames are done. */
  update(frames: number): void;
  stop(): void;
}

/** Shows nothing. */
export const NO_PROGRESS: Progress = { update: () => {}, stop: () => {} };

/** Makes the progress display once the number of frames to expect is known; undefined if it cannot be known. */
export type ShowProgress = (expectedFrames: number | undefined) => Progress;
