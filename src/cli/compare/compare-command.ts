import { type Command, Option } from 'commander';
import type { ComparedEncoderOptions } from '../../compare/comparison/job.js';
import { PRESET_NAMES } from '../../encoder/settings/presets.js';
import { OptionError, UnsupportedError } from '../../errors.js';
import { ESTIMATOR_NAMES, requireEstimatorName } from '../../motion/registry.js';
import { Interrupted, printWarning } from '../failure.js';
import {
  addFieldOptions,
  addInputOptions,
  addReportOptions,
  type FieldFlags,
  type InputFlags,
  type ReportFlags,
  wholeNumber,
} from '../flags/option-parsing.js';
import { addToolOption, type ToolFlags } from '../flags/tool-flags.js';
import { Interruption } from '../interruption.js';
import { NO_PROGRESS, showProgress } from '../progress-bar.js';
import { compareReport } from './compare-report.js';
import type { CompareJob, CompareResult } from './compare-run.js';
import { compareTables } from './compare-table.js';

/** Flags that are options of the encoder under the same name. */
const ENCODER_FLAGS = ['gop', 'preset', 'threads', 'motionReference', 'range', 'metric', 'candidates'] as const;

const DEFAULT_QUANTIZERS = [2, 4, 8, 14];
const DEFAULT_RUNS = 3;

interface CompareFlags
  extends InputFlags,
    FieldFlags,
    ReportFlags,
    ToolFlags,
    Pick<ComparedEncoderOptions, (typeof ENCODER_FLAGS)[number]> {
  readonly estimators: readonly string[];
  readonly qs?: readonly number[];
  readonly repeat?: number;
  readonly report?: string;
  readonly overwrite?: boolean;
  readonly bframes?: number;
}

/** Adds `mpegpu compare` to the program. */
export function addCompareCommand(program: Command): void {
  const command = program
    .command('compare')
    .description('encode the same frames with several motion estimators, and compare speed and compression')
    .argument('<input>', 'a folder of images, a quoted printf or glob pattern, a video, .y4m, .yuv, or - (y4m)')
    .requiredOption(
      '--estimators <a,b,c>',
      `names or modules, the first is what the others are measured against: ${ESTIMATOR_NAMES.join(', ')}`,
      parseEstimators,
    )
    .option('--qs <list>', 'quantizer_scales to encode at (default: 2,4,8,14)', parseQuantizers)
    .option('--repeat <r>', 'timed runs of everything, after one that is not timed (default: 3)', wholeNumber('repeat'))
    .option('--report <file.html>', 'write a page with curves and a viewer of vectors, residuals and macroblock types')
    .option('--overwrite', 'replace an existing report')
    .option('--gop <n>', 'pictures from one I picture to the next (default: 12)', wholeNumber('gop'))
    .option('--bframes <n>', 'B pictures between anchors (default: by preset)', wholeNumber('bframes'))
    .addOption(
      new Option('--preset <name>', 'speed against compression (default: balanced)').choices([...PRESET_NAMES]),
    )
    .addOption(
      new Option('--motion-reference <which>', 'what motion is searched on (default: source)').choices([
        'source',
        'reconstructed',
      ]),
    )
    .option(
      '--threads <n>',
      'threads of an encode, from 2 on motion is searched beside the coding (default: 2)',
      wholeNumber('threads'),
    );
  addInputOptions(command);
  addFieldOptions(command);
  addToolOption(command);
  addReportOptions(command);
  command.action((input: string, flags: CompareFlags) => compare(input, flags));
}

async function compare(input: string, flags: CompareFlags): Promise<void> {
  const job: CompareJob = {
    input,
    source: {
      ...(flags.size && { size: flags.size }),
      ...(flags.fps && { frameRate: flags.fps }),
      ...(flags.frames !== undefined && { frames: flags.frames }),
    },
    estimators: flags.estimators,
    quantizers: flags.qs ?? DEFAULT_QUANTIZERS,
    runs: flags.repeat ?? DEFAULT_RUNS,
    encoder: encoderFlags(flags),
    report: flags.report,
    overwrite: flags.overwrite ?? false,
    showProgress: flags.quiet ? () => NO_PROGRESS : showProgress,
    onWarning: printWarning,
  };
  const interruption = Interruption.listen();
  let result: CompareResult;
  try {
    // Loaded here: the report's plots alone take a tenth of a second, which no other command should wait for.
    const { runCompare } = await import('./compare-run.js');
    result = await runCompare(job, interruption);
  } finally {
    interruption.release();
  }
  if (flags.json) process.stdout.write(`${JSON.stringify(compareReport(result))}\n`);
  else if (!flags.quiet) process.stdout.write(compareTables(result));
  if (result.comparison.interrupted) {
    throw new Interrupted('interrupted: only what was finished is shown');
  }
  throwUnlessFinished(result);
}

function encoderFlags(flags: CompareFlags): ComparedEncoderOptions {
  return {
    ...Object.fromEntries(ENCODER_FLAGS.filter(name => name in flags).map(name => [name, flags[name]])),
    ...(flags.bframes !== undefined && { bFrames: flags.bframes }),
    ...(flags.tool && { tools: flags.tool }),
  };
}

/** An estimator that broke, or nothing that could run, is a failure; one that this machine lacks is not. */
function throwUnlessFinished({ comparison: { rows } }: CompareResult): void {
  const failed = rows.find(({ outcome }) => outcome === 'failed');
  if (failed) throw new Error(`${failed.estimator} failed: ${failed.reason}`);
  if (rows.every(({ outcome }) => outcome === 'unsupported')) {
    throw new UnsupportedError(`none of the estimators can run here: ${rows[0]?.reason}`);
  }
}

function parseEstimators(text: string): string[] {
  const estimators = text.split(',').map(name => name.trim());
  for (const [i, estimator] of estimators.entries()) {
    requireEstimatorName(estimator);
    if (estimators.indexOf(estimator) !== i) {
      throw new OptionError('estimators', `--estimators names '${estimator}' twice`);
    }
  }
  return estimators;
}

function parseQuantizers(text: string): number[] {
  return text.split(',').map(item => {
    const q = Number(item.trim());
    if (/^\s*\d+\s*$/.test(item) && q >= 1 && q <= 31) return q;
    throw new OptionError('qs', `--qs is '${text}'; legal: quantizer_scales 1..31 with commas between, such as 2,4,8`);
  });
}
