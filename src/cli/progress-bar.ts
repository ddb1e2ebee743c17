import { SingleBar } from 'cli-progress';

/** Shows how far an encode has come. */
export interface Progress {
  /** `frames` pictures are done. */
  update(frames: number): void;
  stop(): void;
}

/** No progress at all. */
export const NO_PROGRESS: Progress = { update: () => {}, stop: () => {} };

/** A progress bar on standard error where that is a terminal; only a count where it is not known how much there is. */
export function showProgress(expectedFrames: number | undefined): Progress {
  if (!process.stderr.isTTY) return NO_PROGRESS;
  const start = performance.now();
  const fps = (frames: number) => ((1000 * frames) / Math.max(1, performance.now() - start)).toFixed(1);
  const bar = new SingleBar({
    format:
      expectedFrames === undefined
        ? '{value} frames | {fps} frames/s'
        : '{bar} {percentage} % | {value} of {total} frames | {fps} frames/s | {eta_formatted} left',
    barCompleteChar: '█',
    barIncompleteChar: '░',
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
    // Our own handler ends the bar.
    gracefulExit: false,
  });
  bar.start(expectedFrames ?? 0, 0, { fps: '0.0' });
  return {
    update: frames => {
      // What was expected of a video is an estimate.
      if (frames > bar.getTotal()) bar.setTotal(frames);
      bar.update(frames, { fps: fps(frames) });
    },
    stop: () => bar.stop(),
  };
}
