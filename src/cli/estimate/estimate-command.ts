import { type Command, Option } from 'commander';
import type { ReferenceSide } from '../../compare/motion-fields/pair-search.js';
import { OptionError } from '../../errors.js';
import { CONTAINER_EXTENSIONS } from '../../media/containers/container.js';
import type { SearchRange } from '../../motion/estimator.js';
import { requireEstimatorName } from '../../motion/registry.js';
import { Interrupted, printWarning } from '../failure.js';
import {
  addInputOptions,
  addReportOptions,
  addSearchOptions,
  type InputFlags,
  type ReportFlags,
  type SearchFlags,
} from '../flags/option-parsing.js';
import { Interruption } from '../interruption.js';
import { NO_PROGRESS, showProgress } from '../progress-bar.js';
import type { EstimateOutputPaths } from './estimate-outputs.js';
import { estimateReport, estimateSummary } from './estimate-report.js';
import type { EstimateJob, EstimateResult } from './estimate-run.js';
import type { TruthPaths } from './estimate-truth.js';

interface EstimateFlags extends InputFlags, SearchFlags, ReportFlags, EstimateOutputPaths, TruthPaths {
  readonly block: '8' | '16';
  readonly against?: string;
  readonly reference?: ReferenceSide;
  readonly gray?: boolean;
}

const DEFAULT_RANGE: SearchRange = { x: 64, y: 32 };
/** Farther than any picture is wide. */
const WHOLE_ROW = 4095;

/** Adds `mpegpu estimate` to the program. */
export function addEstimateCommand(program: Command): void {
  const command = program
    .command('estimate')
    .description('search motion between neighbouring frames, and see and measure what the vectors are worth')
    .argument('<input>', 'a folder of images, a quoted printf or glob pattern, a video, .y4m, .yuv, or - (y4m)')
    .addOption(new Option('--block <side>', 'side of a block in pels').choices(['8', '16']).default('16'))
    .addOption(
      new Option(
        '--reference <which>',
        'search each frame in the previous one (default), or in the next (default with --truth and --disparity)',
      ).choices(['previous', 'next']),
    )
    .option('--gray', 'measure and show luma alone')
    .option('--against <name|path>', 'report how many vectors another estimator agrees with')
    .option('--vectors <file.jsonl>', 'write the fields, a line of JSON per pair, in full pels')
    .option('--flo <folder>', "write each pair's field as Middlebury .flo, a vector per pel")
    .option('--overlay <folder>', "write each pair's vectors, drawn over the frame, as PNG")
    .option('--overlay-video <file>', `the same as one video: ${CONTAINER_EXTENSIONS.join(', ')}`)
    .option('--residuals <folder>', 'write what is left of each frame before and after motion compensation, as PNG')
    .option('--predicted <folder>', 'write the frames that the vectors predict, as PNG')
    .option('--truth <file.flo>', 'true flow from the first frame to the second: report the endpoint error')
    .option('--disparity <file>', 'true disparity of the first frame, the left of a stereo pair: report bad pixels')
    .option('--disparity-scale <s>', 'what a value of the disparity map is divided by to be pels (default: 1)', Number)
    .option('--mask <file>', 'leave out the pels that are 0 here from the bad pixels')
    .option('--overwrite', 'replace existing output files');
  addInputOptions(command);
  addSearchOptions(command);
  addReportOptions(command);
  command.action((input: string, flags: EstimateFlags) => estimate(input, flags));
}

async function estimate(input: string, flags: EstimateFlags): Promise<void> {
  const job = estimateJob(input, flags);
  const interruption = Interruption.listen();
  let result: EstimateResult;
  try {
    const { runEstimate } = await import('./estimate-run.js'); // loaded when wanted: other commands start sooner
    result = await runEstimate(job, interruption);
  } finally {
    interruption.release();
  }
  if (result.pairs.length > 0) {
    if (flags.json) process.stdout.write(`${JSON.stringify(estimateReport(result))}\n`);
    else if (!flags.quiet) process.stdout.write(estimateSummary(result));
  }
  if (result.interrupted) throw new Interrupted(interruptionNote(result));
}

function estimateJob(input: string, flags: EstimateFlags): EstimateJob {
  const { estimator = 'auto', against, metric = 'sad', candidates = 1, range = DEFAULT_RANGE } = flags;
  requireEstimatorName(estimator);
  if (against !== undefined) requireEstimatorName(against);
  return {
    input,
    source: {
      ...(flags.size && { size: flags.size }),
      ...(flags.fps && { frameRate: flags.fps }),
      ...(flags.frames !== undefined && { frames: flags.frames }),
    },
    estimator,
    against,
    search: {
      metric,
      blockSize: flags.block === '8' ? 8 : 16,
      range: flags.disparity === undefined ? range : horizontal(range),
      candidatesPerBlock: candidates,
      lambda: 0,
    },
    reference: referenceSide(flags),
    gray: flags.gray ?? false,
    truth: flags,
    outputs: flags,
    onWarning: printWarning,
    showProgress: flags.quiet ? () => NO_PROGRESS : showProgress,
  };
}

/** Flow and disparity are those of the first frame, as seen from there. */
function referenceSide({ reference, truth, disparity }: EstimateFlags): ReferenceSide {
  const option = truth !== undefined ? 'truth' : disparity !== undefined ? 'disparity' : undefined;
  if (option !== undefined && reference === 'previous') {
    throw new OptionError('reference', `--${option} is known of the first frame: it goes with --reference next`);
  }
  return reference ?? (option === undefined ? 'previous' : 'next');
}

/** Rectified stereo pictures differ along rows alone. */
function horizontal(range: SearchRange): SearchRange {
  return { x: range === 'picture' ? WHOLE_ROW : range.x, y: 0 };
}

function interruptionNote({ pairs, kept }: EstimateResult): string {
  if (pairs.length === 0) return 'interrupted before the first pair: nothing was kept';
  const files = kept.length === 0 ? '' : `; what was finished is in ${kept.join(', ')}`;
  return `interrupted after ${pairs.length} pairs${files}`;
}
