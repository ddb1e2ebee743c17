// `mpegpu plan`: from an input to a plan, or from a plan and its first pass to the plan of the second pass.

import { budgetChunks, type ChunkMeasurement } from '../../chunks/chunk-budgets.js';
import type { ChunkPlan } from '../../chunks/chunk-plan.js';
import { planChunks } from '../../chunks/plan-chunks.js';
import type { PlanOptions } from '../../chunks/plan-options.js';
import { counted } from '../../counted.js';
import { streamRate } from '../../encode-files/open-input.js';
import { requireDifferentFiles } from '../../encode-files/output-names.js';
import { pelAspectOption } from '../../encode-files/stream-shape.js';
import { OptionError } from '../../errors.js';
import { namingMatrixFile } from '../encode/quantizer-matrix-file.js';
import { printable, UsageError } from '../failure.js';
import { asFlag, type FlagsOf } from '../flags/flag-table.js';
import { progressDisplay } from '../progress-bar.js';
import { sourceOptions } from '../source-frames.js';
import { writeStandardOutput } from '../standard-output.js';
import { Warnings } from '../warnings.js';
import {
  openRanges,
  planText,
  readJsonFile,
  readPlanFile,
  requireOtherThanPlanned,
  writeWholeFile,
} from './plan-file.js';
import { checkPlannedRate, plannedOptions, plannedReading } from './planned-options.js';
import { refuseOtherFlags } from './refuse-flags.js';
import { type Stopping, untilStopped } from './stopping.js';

type PlanFlags = FlagsOf<'plan'>;

/** Runs `mpegpu plan`. */
export async function plan(inputs: readonly string[], flags: PlanFlags): Promise<void> {
  const { output, budgets, json = false } = flags;
  const named = Object.fromEntries(inputs.map((input, i) => [i === 0 ? 'the input' : `input ${i + 1}`, input]));
  await requireDifferentFiles({ inputs: { ...named, '--budgets': budgets }, outputs: { '-o': output }, json });
  if (output === '-') throw new OptionError('output', '-o - is not possible: a plan is a file (--json prints it)');
  const start = performance.now();
  const warnings = new Warnings(flags);
  await untilStopped(async stopping => {
    const make = async () => {
      const isFirst = budgets === undefined;
      const made = await (isFirst ? planInput(inputs, flags, stopping, warnings) : planSecondPass(inputs, flags));
      return { made, contents: planText(made) };
    };
    const { overwrite = false } = flags;
    const { made } = await writeWholeFile(output, make, { overwrite, signal: stopping.interruption.abort });
    const seconds = (performance.now() - start) / 1000;
    if (json)
      await writeStandardOutput(
        `${JSON.stringify({ ...planReport(made, output, seconds), warnings: warnings.messages })}\n`,
      );
    else if (!flags.quiet) await writeStandardOutput(planSummary(made, output, seconds));
  });
}

async function planInput(
  inputs: readonly string[],
  flags: PlanFlags,
  { interruption, signal }: Stopping,
  warnings: Warnings,
): Promise<ChunkPlan> {
  const [input = '', ...others] = inputs;
  if (others.length > 0) {
    throw new UsageError(
      `one input is needed, not ${inputs.length}. Quote a pattern, so that the shell leaves it alone.`,
    );
  }
  checkPlannedRate(flags);
  const planned = await plannedOptions(flags);
  const { frames, ...reading } = sourceOptions(flags, warnings.add);
  const source = await openRanges(input, reading, interruption);
  const progress = progressDisplay(flags)(
    source.frameCount && Math.min(source.frameCount, frames ?? source.frameCount),
    { label: 'reading' },
  );
  try {
    const options: PlanOptions = {
      ...pelAspectOption(source, { ...flags, optionNaming: asFlag }, warnings.add),
      ...planned,
      frameRate: streamRate(source),
      source: { ...(input !== '-' && { input }), ...plannedReading(flags) },
      signal,
      onProgress: done => progress.update(done),
    };
    return await planChunks(source, options);
  } catch (error) {
    throw namingMatrixFile(error, flags);
  } finally {
    progress.stop();
    await source.close();
  }
}

async function planSecondPass(files: readonly string[], flags: PlanFlags): Promise<ChunkPlan> {
  const allowed = ['output', 'budgets', 'overwrite', 'json', 'quiet', 'progress'];
  refuseOtherFlags(flags, allowed, 'stands in the plan that --budgets names: leave it out');
  const first = await readPlanFile(flags.budgets!);
  await requireOtherThanPlanned(first, { '-o': flags.output });
  const measurements: ChunkMeasurement[] = [];
  for (const file of files) measurements.push((await readJsonFile(file)) as ChunkMeasurement);
  return budgetChunks(first, measurements, position => files[position]!);
}

/** The object that `plan --json` prints. */
function planReport({ identity, input, chunks }: ChunkPlan, output: string, seconds: number): object {
  const { numerator, denominator } = input.frameRate;
  const { width, height, frames } = input;
  return {
    output,
    identity,
    frames,
    width,
    height,
    frameRate: numerator / denominator,
    seconds,
    chunks: chunks.map(({ index, firstFrame, frames, budget }) => {
      return { index, firstFrame, frames, ...(budget && { bits: Math.round(budget.bits) }) };
    }),
  };
}

function planSummary({ input, chunks }: ChunkPlan, output: string, seconds: number): string {
  const { width, height, frames, frameRate } = input;
  const lengths = chunks.map(chunk => (chunk.frames * frameRate.denominator) / frameRate.numerator);
  const [shortest, longest] = [Math.min(...lengths), Math.max(...lengths)].map(length => length.toFixed(1));
  const chunksInWords = `${chunks.length} of ${shortest} to ${longest} s; indices 0 to ${chunks.length - 1}`;
  const pace = `${(frames / seconds).toFixed(1)} frames/s: ${seconds.toFixed(2)} s`;
  return [
    `${printable(output)}: ${counted(frames, 'frame')}, ${width}x${height}`,
    `  chunks    ${chunks.length === 1 ? `1 of ${longest} s; index 0` : chunksInWords}`,
    `  speed     ${pace}`,
    '',
  ].join('\n');
}
