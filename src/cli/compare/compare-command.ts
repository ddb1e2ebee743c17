// `mpegpu compare`: from flags to a job, from its result to output.
import type { Command } from 'commander';
import type { ComparedRates } from '../../compare/comparison/compared-rates.js';
import { checkBdMethod } from '../../compare/comparison/job.js';
import { requireDifferentFiles } from '../../encode-files/output-names.js';
import { OptionError, UnsupportedError } from '../../errors.js';
import { Interrupted } from '../failure.js';
import { DEFAULT_RUNS, DEFAULT_SCALES } from '../flags/compare-flags.js';
import { encoderOptions } from '../flags/encoder-options.js';
import type { FlagsOf } from '../flags/flag-table.js';
import { Interruption } from '../interruption.js';
import { progressDisplay } from '../progress-bar.js';
import { sourceOptions } from '../source-frames.js';
import { writeStandardOutput } from '../standard-output.js';
import { Warnings } from '../warnings.js';
import { compareJson } from './compare-report.js';
import type { CompareResult } from './compare-result.js';
import type { CompareJob } from './compare-run.js';
import { compareTables } from './compare-table.js';

type CompareFlags = FlagsOf<'compare'>;

const REPORT_NAME = /\.html?$/i;

/** Runs `mpegpu compare`. */
export async function compare(input: string, flags: CompareFlags, { parent: program }: Command): Promise<void> {
  const { report, csv, json = false } = flags;
  if (report !== undefined && !REPORT_NAME.test(report)) {
    throw new OptionError(
      'report',
      `--report ${report}: the report is a page of HTML, so its name must end in .html or .htm`,
    );
  }
  const settings = rateSettings(flags);
  checkBdMethod(flags.bdMethod, settings);
  await requireDifferentFiles({ inputs: { 'the input': input }, outputs: { '--report': report, '--csv': csv }, json });
  const warnings = new Warnings(flags);
  const job: CompareJob = {
    version: program?.version() ?? '',
    args: program?.args ?? [],
    input,
    source: sourceOptions(flags, warnings.add),
    estimators: flags.estimators,
    settings,
    bdMethod: flags.bdMethod,
    vmaf: flags.vmaf ?? true,
    runs: flags.repeat ?? DEFAULT_RUNS,
    encoder: encoderOptions(flags),
    report,
    csv,
    overwrite: flags.overwrite ?? false,
    showProgress: progressDisplay(flags),
    warnings,
  };
  const result = await Interruption.during(async interruption => {
    // Loaded here: the plots of the report take a tenth of a second, for which no other command should wait.
    const { runCompare } = await import('./compare-run.js');
    return runCompare(job, interruption);
  });
  if (json) await writeStandardOutput(compareJson(result, warnings));
  else if (!flags.quiet) await writeStandardOutput(compareTables(result));
  if (result.comparison.interrupted) {
    throw new Interrupted('interrupted: only what was finished is shown');
  }
  throwUnlessFinished(result);
}

/** What is encoded: one list of values, since a curve of encodes that are set differently compares nothing. */
function rateSettings({ qs, qualities, bitrates }: CompareFlags): ComparedRates {
  const given = [
    { flag: '--qs', option: 'q' as const, values: qs },
    { flag: '--qualities', option: 'quality' as const, values: qualities },
    { flag: '--bitrates', option: 'bitrate' as const, values: bitrates },
  ].flatMap(({ values, ...list }) => (values === undefined ? [] : [{ ...list, values }]));
  const [first = { option: 'q' as const, values: DEFAULT_SCALES }, other] = given;
  if (other) {
    const flags = given.map(({ flag }) => flag).join(' and ');
    throw new OptionError(other.flag.slice(2), `${flags} exclude each other: a comparison has curves of one kind`);
  }
  return { option: first.option, values: first.values };
}

/** Throws if an estimator broke, or if none can run here. One that cannot run here is no failure. */
function throwUnlessFinished({ comparison: { rows } }: CompareResult): void {
  const failed = rows.find(({ outcome }) => outcome === 'failed');
  if (failed) throw new Error(`${failed.estimator} failed: ${failed.reason}`);
  if (rows.every(({ outcome }) => outcome === 'unsupported')) {
    throw new UnsupportedError(`none of the estimators can run here: ${rows[0]?.reason}`);
  }
}
