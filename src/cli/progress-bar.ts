// The progress on standard error: a bar on a terminal, a line a minute elsewhere.
import { createRequire } from 'node:module';
import type { Writable } from 'node:stream';
import { NO_PROGRESS, type Progress, type ShowProgress, type Work } from '../encode-files/progress.js';
import { ProgressMeter } from './progress-meter.js';

export { NO_PROGRESS, type Progress, type ShowProgress };

/** The flags about progress. */
interface ProgressFlags {
  readonly quiet?: boolean;
  readonly progress?: boolean;
}

/** Where it is shown, and by which clock. */
interface Display {
  readonly stream: Writable & { readonly isTTY?: boolean };
  /** Milliseconds; only goes forward. */
  readonly nowMs: () => number;
}

const LINE_MS = 60_000;

/**
 * The progress display of a command: a bar if standard error is a terminal, else a line a minute with `--progress`;
 * nothing with `--quiet`.
 */
export function progressDisplay(
  { quiet = false, progress = false }: ProgressFlags,
  display: Display = { stream: process.stderr, nowMs: () => performance.now() },
): ShowProgress {
  if (quiet) return () => NO_PROGRESS;
  if (display.stream.isTTY) return (expected, work) => showBar(expected, work, display);
  return progress ? (expected, work) => showLines(expected, work, display) : () => NO_PROGRESS;
}

/** A bar, or only the figures if the number of pictures is not known. */
function showBar(expected: number | undefined, work: Work = {}, { stream, nowMs }: Display): Progress {
  const meter = new ProgressMeter(expected, work, nowMs());
  const payload = () => ({ label: meter.label, text: meter.text(nowMs()) });
  // Loaded here, at once: its two dozen files take 10 ms, for which nobody without a bar should wait.
  const { SingleBar } = createRequire(import.meta.url)('cli-progress') as typeof import('cli-progress');
  const bar = new SingleBar({
    format: expected === undefined ? '{label}{text}' : '{label}{bar} {percentage} % | {text}',
    barsize: 20,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    stream,
    hideCursor: true,
    clearOnComplete: true,
    // Our own signal handler ends the bar.
    gracefulExit: false,
  });
  bar.start(meter.expected ?? 0, 0, payload());
  return {
    update: (done, picture) => {
      meter.update(done, picture, nowMs());
      if (done > bar.getTotal()) bar.setTotal(done);
      bar.update(done, payload());
    },
    begin: part => {
      meter.part = part;
      bar.update(payload());
    },
    stop: () => bar.stop(),
  };
}

/** A line a minute while there is progress, and one at the end. */
function showLines(expected: number | undefined, work: Work = {}, { stream, nowMs }: Display): Progress {
  const meter = new ProgressMeter(expected, work, nowMs());
  let lastMs = nowMs();
  let isStopped = false;
  const print = (text: string) => void stream.write(`mpegpu: ${meter.label}${text}\n`);
  return {
    update: (done, picture) => {
      const now = nowMs();
      meter.update(done, picture, now);
      if (now - lastMs < LINE_MS) return;
      lastMs = now;
      print(meter.text(now));
    },
    begin: part => {
      meter.part = part;
    },
    stop: () => {
      if (isStopped) return;
      isStopped = true;
      meter.part = undefined;
      print(meter.summary(nowMs()));
    },
  };
}
