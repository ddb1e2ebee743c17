// `mpegpu disparity`: from flags to a job, from its result to output.
import { requireDifferentFiles } from '../../encode-files/output-names.js';
import type { FlagsOf } from '../flags/flag-table.js';
import { Interruption } from '../interruption.js';
import { writeStandardOutput } from '../standard-output.js';
import { Warnings } from '../warnings.js';
import { disparityReport, disparitySummary } from './disparity-report.js';

type DisparityFlags = FlagsOf<'disparity'>;

/** Runs `mpegpu disparity`. */
export async function disparity(left: string, right: string, flags: DisparityFlags): Promise<void> {
  const { output, truth, mask, unfilled = false, json = false, ...rest } = flags;
  await requireDifferentFiles({
    inputs: { 'the left picture': left, 'the right picture': right, '--truth': truth, '--mask': mask },
    outputs: { '--output': output },
    json,
  });
  const warnings = new Warnings(flags);
  const job = { ...rest, left, right, output, fill: !unfilled, truth, mask, onWarning: warnings.add };
  const result = await Interruption.during(async interruption => {
    const { runDisparity } = await import('./disparity-run.js'); // loaded here: other commands start sooner
    return runDisparity(job, interruption.abort);
  }, 'stopping after this pair (interrupt again to give up)');
  if (json)
    await writeStandardOutput(`${JSON.stringify({ ...disparityReport(result), warnings: warnings.messages })}\n`);
  else if (!flags.quiet) await writeStandardOutput(disparitySummary(result));
}
