// What the sections of docs/comparison.md share: runs of mpegpu, and table rows that may lack figures.
import { MPEGPU, run } from './processes.mjs';
import { fixed } from './table.mjs';

/** The estimators in the order of every table. The others are measured against the first. */
export const ESTIMATORS = ['cpu-log', 'cpu-predictive', 'cpu-mrmp', 'cpu-full', 'gpu-mrmp', 'gpu-full', 'zero'];

/** With these arguments the coder has only the estimator's vectors, the zero vector and the predicted vector. */
export const OWN_VECTORS = ['--tool', 'neighbour-vectors=off'];

/** Runs a command of mpegpu with --json. Resolves to `{ report }`, or to `{ reason }` if it fails. */
export async function mpegpu(args, env = {}) {
  try {
    const { stdout } = await run(process.execPath, [MPEGPU, ...args, '--json'], { env: { ...process.env, ...env } });
    return { report: JSON.parse(stdout.toString()) };
  } catch (error) {
    return { reason: error.message.slice(error.message.lastIndexOf('mpegpu: ') + 8).split(';')[0] };
  }
}

/** Makes the rows of a section's tables, and collects what this machine could not run, with the reasons. */
export class Rows {
  #missing = new Map();

  /** A row of figures; a row of `n/a` if there is a reason instead of a report. */
  row(header, name, { report, reason }, cells) {
    if (report) return [name, ...cells(report)];
    this.#missing.set(name, reason.replace(/^[\w-]+: /, ''));
    return [name, ...header.slice(1).map(() => 'n/a')];
  }

  /** Records that an estimator of `compare --json` has no figures, and why. */
  note(row) {
    const { reason } = outcome(row);
    if (reason) this.#missing.set(row.estimator, reason);
  }

  /** One line that says what had no figures so far. */
  missingLine() {
    const namesByReason = new Map();
    for (const [name, why] of this.#missing) namesByReason.set(why, [...(namesByReason.get(why) ?? []), name]);
    const parts = [...namesByReason].map(([why, names]) => `${names.join(', ')}: ${why}`);
    if (parts.length === 0) return '';
    const hasTwins = [...this.#missing.keys()].some(name => name.startsWith('gpu-'));
    const twins = '\nTheir fields, and with them bits and PSNR, are those of cpu-full and cpu-mrmp.';
    return `\nNot on this machine: ${parts.join('; ')}.${hasTwins ? twins : ''}\n`;
  }
}

/** A share 0..1 in per cent. */
export const percent = (share, digits = 1) =>
  share === null || share === undefined ? 'n/a' : `${fixed(100 * share, digits)} %`;

/** An estimator's row of `compare --json` in the form that `Rows.row` takes. */
export function outcome(row) {
  return row.outcome === 'finished'
    ? { report: row }
    : { reason: row.reason.replace(`${row.estimator}: `, '').split(';')[0] };
}
