// The progress on standard error: a bar on a terminal, a line a minute elsewhere.
import { createRequire } from 'node:module';
import type { Writable } from 'node:stream';
import { NO_PROGRESS, type Progress, type ShowProgress, type Work } from '../encode-files/progress.js';
import { type Figures, ProgressMeter } from './progress-meter.js';

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
const BAR_COLUMNS = 20;
/** Left out in this order where a terminal is narrow: before that the bar gets shorter. */
const LEFT_OUT = ['bitRate', 'scale', 'count', 'speed'] as const;

/**
 * The progress display of a command: a bar if standard error is a terminal, else a line a minute with `--progress`;
 * nothing with `--quiet`. A dumb terminal, which cannot go back to the start of a line, counts as none.
 */
export function progressDisplay(
  { quiet = false, progress = false }: ProgressFlags,
  display: Display = { stream: process.stderr, nowMs: () => performance.now() },
): ShowProgress {
  if (quiet) return () => NO_PROGRESS;
  if (display.stream.isTTY && process.env.TERM !== 'dumb') return (expected, work) => showBar(expected, work, display);
  return progress ? (expected, work) => showLines(expected, work, display) : () => NO_PROGRESS;
}

/** A bar, or only the figures if the number of pictures is not known. */
function showBar(expected: number | undefined, work: Work = {}, { stream, nowMs }: Display): Progress {
  const meter = new ProgressMeter(expected, work, nowMs());
  const payload = () => ({ label: meter.label, figures: meter.figures(nowMs()) });
  // Loaded here, at once: its two dozen files take 10 ms, for which nobody without a bar should wait.
  const { SingleBar } = createRequire(import.meta.url)('cli-progress') as typeof import('cli-progress');
  const bar = new SingleBar({
    format: (_, { progress, maxWidth }, { label, figures }) =>
      barLine(label, figures, maxWidth - 1, expected === undefined ? undefined : progress),
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

/** The line of the bar in so many columns; without a bar if `done`, from 0 to 1, is not known. */
function barLine(label: string, figures: Figures, columns: number, done: number | undefined): string {
  const shown: Partial<Figures> = { ...figures };
  const percent = done === undefined ? [] : [`${Math.floor(100 * done)} %`];
  const text = () => [...percent, ...Object.values(shown)].join(' | ');
  const room = () => columns - label.length - text().length;
  for (const name of LEFT_OUT) if (room() < 0) delete shown[name];
  if (room() < 0) return text();
  const length = done === undefined ? 0 : Math.max(0, Math.min(BAR_COLUMNS, room() - 1));
  const full = Math.round(length * (done ?? 0));
  return `${label}${'█'.repeat(full)}${'░'.repeat(length - full)}${length > 0 ? ' ' : ''}${text()}`;
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
