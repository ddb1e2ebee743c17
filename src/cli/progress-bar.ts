// The progress bar on standard error.
import { SingleBar } from 'cli-progress';
import { NO_PROGRESS, type Progress, type ShowProgress } from '../encode-files/progress.js';

export { NO_PROGRESS, type Progress, type ShowProgress };

/** The progress display of a command; nothing with `--quiet`, or if standard error is no terminal. */
export function progressDisplay({ quiet = false }: { readonly quiet?: boolean }): ShowProgress {
  return quiet || !process.stderr.isTTY ? () => NO_PROGRESS : showBar;
}

/** A bar, or only a count if the number of frames is not known. */
function showBar(expectedFrames: number | undefined): Progress {
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
    // Our own signal handler ends the bar.
    gracefulExit: false,
  });
  bar.start(expectedFrames ?? 0, 0, { fps: '0.0' });
  return {
    update: frames => {
      // The number of frames of a video is an estimate.
      if (frames > bar.getTotal()) bar.setTotal(frames);
      bar.update(frames, { fps: fps(frames) });
    },
    stop: () => bar.stop(),
  };
}
