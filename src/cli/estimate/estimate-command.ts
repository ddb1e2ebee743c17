// `mpegpu estimate`: from flags to a job, from its result to output.

import type { ReferenceSide } from '../../compare/motion-fields/pair-search.js';
import { counted } from '../../counted.js';
import { requireDifferentFiles } from '../../encode-files/output-names.js';
import { ENCODER_OPTIONS } from '../../encoder/settings/option-table.js';
import { OptionError } from '../../errors.js';
import type { SearchRange } from '../../motion/estimator.js';
import { Interrupted } from '../failure.js';
import { DEFAULT_BLOCK_SIZE, DEFAULT_CANDIDATES } from '../flags/estimate-flags.js';
import type { FlagsOf } from '../flags/flag-table.js';
import { Interruption } from '../interruption.js';
import { progressDisplay } from '../progress-bar.js';
import { sourceOptions } from '../source-frames.js';
import { writeStandardOutput } from '../standard-output.js';
import { Warnings } from '../warnings.js';
import { estimateReport, estimateSummary } from './estimate-report.js';
import type { EstimateJob, EstimateResult } from './estimate-run.js';

type EstimateFlags = FlagsOf<'estimate'>;

/** Wider than any picture, in pels. */
const WHOLE_ROW = 4095;

/** Runs `mpegpu estimate`. */
export async function estimate(input: string, flags: EstimateFlags): Promise<void> {
  const { truth, disparity, mask, vectors, csv, overlayVideo } = flags;
  const { flo, kitti, pictures, overlay, residuals, predicted } = flags;
  await requireDifferentFiles({
    inputs: { 'the input': input, '--truth': truth, '--disparity': disparity, '--mask': mask },
    outputs: { '--vectors': vectors, '--csv': csv, '--overlay-video': overlayVideo },
    folders: {
      '--flo': flo,
      '--kitti': kitti,
      '--pictures': pictures,
      '--overlay': overlay,
      '--residuals': residuals,
      '--predicted': predicted,
    },
    json: flags.json ?? false,
  });
  const warnings = new Warnings(flags);
  const job = estimateJob(input, flags, warnings.add);
  const result = await Interruption.during(async interruption => {
    const { runEstimate } = await import('./estimate-run.js'); // loaded here: other commands start sooner
    return runEstimate(job, interruption);
  });
  if (result.pairs.length > 0) {
    if (flags.json)
      await writeStandardOutput(`${JSON.stringify({ ...estimateReport(result), warnings: warnings.messages })}\n`);
    else if (!flags.quiet) await writeStandardOutput(estimateSummary(result));
  }
  if (result.interrupted) throw new Interrupted(interruptionNote(result));
}

function estimateJob(input: string, flags: EstimateFlags, onWarning: (message: string) => void): EstimateJob {
  const defaults = ENCODER_OPTIONS;
  const { range = defaults.range.default } = flags;
  return {
    input,
    source: sourceOptions(flags, onWarning),
    estimator: flags.estimator ?? defaults.estimator.default,
    against: flags.against,
    search: {
      metric: flags.metric ?? defaults.metric.default,
      blockSize: flags.block ?? DEFAULT_BLOCK_SIZE,
      range: flags.disparity === undefined ? range : alongRows(range),
      candidatesPerBlock: flags.candidates ?? DEFAULT_CANDIDATES,
      lambda: 0,
    },
    reference: referenceSide(flags),
    gray: flags.gray ?? false,
    truth: flags,
    outputs: flags,
    onWarning,
    showProgress: progressDisplay(flags),
  };
}

/** True flow and true disparity are known for the pels of the first frame: that one is searched in the next. */
function referenceSide({ reference, truth, disparity }: EstimateFlags): ReferenceSide {
  const option = truth !== undefined ? 'truth' : disparity !== undefined ? 'disparity' : undefined;
  if (option !== undefined && reference === 'previous') {
    throw new OptionError('reference', `--${option} is known of the first frame: it goes with --reference next`);
  }
  return reference ?? (option === undefined ? 'previous' : 'next');
}

/** Rectified stereo pictures differ along rows only. */
function alongRows(range: SearchRange): SearchRange {
  return { x: range === 'picture' ? WHOLE_ROW : range.x, y: 0 };
}

function interruptionNote({ pairs, kept }: EstimateResult): string {
  if (pairs.length === 0) return 'interrupted before the first pair: nothing was kept';
  const files = kept.length === 0 ? '' : `; what was finished is in ${kept.join(', ')}`;
  return `interrupted after ${counted(pairs.length, 'pair')}${files}`;
}
