// `mpegpu compare`: from flags to a job, from its result to output.
import type { Command } from 'commander';
import { requireDifferentFiles } from '../../encode-files/output-names.js';
import { UnsupportedError } from '../../errors.js';
import { Interrupted } from '../failure.js';
import { addCommand } from '../flags/add-flags.js';
import { DEFAULT_RUNS, DEFAULT_SCALES } from '../flags/compare-flags.js';
import { encoderOptions } from '../flags/encoder-options.js';
import type { FlagsOf } from '../flags/flag-table.js';
import { Interruption } from '../interruption.js';
import { progressDisplay } from '../progress-bar.js';
import { sourceOptions } from '../source-frames.js';
import { writeStandardOutput } from '../standard-output.js';
import { Warnings } from '../warnings.js';
import { compareReport } from './compare-report.js';
import type { CompareJob, CompareResult } from './compare-run.js';
import { compareTables } from './compare-table.js';

type CompareFlags = FlagsOf<'compare'>;

/** Adds `mpegpu compare` to the program. */
export function addCompareCommand(program: Command): void {
  addCommand(program, 'compare').action((input: string, flags: CompareFlags) => compare(input, flags));
}

async function compare(input: string, flags: CompareFlags): Promise<void> {
  const { report, json = false } = flags;
  await requireDifferentFiles({ inputs: { 'the input': input }, outputs: { '--report': report }, json });
  const warnings = new Warnings(flags);
  const job: CompareJob = {
    input,
    source: sourceOptions(flags, warnings.add),
    estimators: flags.estimators,
    quantizers: flags.qs ?? DEFAULT_SCALES,
    runs: flags.repeat ?? DEFAULT_RUNS,
    encoder: encoderOptions(flags),
    report: flags.report,
    overwrite: flags.overwrite ?? false,
    showProgress: progressDisplay(flags),
    onWarning: warnings.add,
  };
  const result = await Interruption.during(async interruption => {
    // Loaded here: the plots of the report take a tenth of a second, for which no other command should wait.
    const { runCompare } = await import('./compare-run.js');
    return runCompare(job, interruption);
  });
  if (flags.json)
    await writeStandardOutput(`${JSON.stringify({ ...compareReport(result), warnings: warnings.messages })}\n`);
  else if (!flags.quiet) await writeStandardOutput(compareTables(result));
  if (result.comparison.interrupted) {
    throw new Interrupted('interrupted: only what was finished is shown');
  }
  throwUnlessFinished(result);
}

/** Throws if an estimator broke, or if none can run here. One that cannot run here is no failure. */
function throwUnlessFinished({ comparison: { rows } }: CompareResult): void {
  const failed = rows.find(({ outcome }) => outcome === 'failed');
  if (failed) throw new Error(`${failed.estimator} failed: ${failed.reason}`);
  if (rows.every(({ outcome }) => outcome === 'unsupported')) {
    throw new UnsupportedError(`none of the estimators can run here: ${rows[0]?.reason}`);
  }
}
