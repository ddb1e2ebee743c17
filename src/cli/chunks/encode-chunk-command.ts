// `mpegpu encode-chunk`: one chunk of a plan, or its first pass.

import { chunkOf } from '../../chunks/chunk-plan.js';
import { type ChunkRun, type EncodedChunk, encodeChunk, measureChunk } from '../../chunks/encode-chunk.js';
import { counted } from '../../counted.js';
import { requireDifferentFiles } from '../../encode-files/output-names.js';
import { finitePsnrs } from '../../encode-files/psnr-text.js';
import { InputError, OptionError } from '../../errors.js';
import { printable } from '../failure.js';
import type { FlagsOf } from '../flags/flag-table.js';
import { progressDisplay } from '../progress-bar.js';
import { writeStandardOutput } from '../standard-output.js';
import { Warnings } from '../warnings.js';
import { openPlannedInput, readPlanFile, requireOtherThanPlanned, writeWholeFile } from './plan-file.js';
import { type Stopping, untilStopped } from './stopping.js';

type ChunkFlags = FlagsOf<'encode-chunk'>;

/** What is written of a chunk, and what is told of it. */
interface ChunkOutcome {
  readonly contents: string | Uint8Array;
  readonly frames: number;
  readonly figures: object;
}

/** Runs `mpegpu encode-chunk`. */
export async function encodeOne(planPath: string, indexText: string, flags: ChunkFlags): Promise<void> {
  const { output, input, pass = 2, json = false, overwrite = false } = flags;
  await requireDifferentFiles({ inputs: { 'the plan': planPath, '--input': input }, outputs: { '-o': output }, json });
  if (output === '-') throw new OptionError('output', '-o - is not possible: a chunk is a file');
  if (pass !== 1 && pass !== 2) throw new OptionError('pass', `--pass ${pass} does not exist; legal: 1, 2`);
  if (!/^\d{1,9}$/.test(indexText)) throw new InputError(`the index '${indexText}' is not a whole number of 0 or more`);
  const index = Number(indexText);
  const start = performance.now();
  const warnings = new Warnings(flags);
  await untilStopped(async stopping => {
    const { contents, frames, figures } = await writeWholeFile(
      output,
      () => encodeIndex(planPath, index, flags, stopping, warnings),
      { overwrite, signal: stopping.interruption.abort },
    );
    const seconds = (performance.now() - start) / 1000;
    const report = {
      index,
      pass,
      frames,
      bytes: contents.length,
      seconds,
      fps: frames / seconds,
      ...figures,
      output,
      warnings: warnings.messages,
    };
    if (json) await writeStandardOutput(`${JSON.stringify(report)}\n`);
    else if (!flags.quiet) {
      const what = pass === 1 ? `first pass of chunk ${index}` : `chunk ${index}`;
      const pace = `${(frames / seconds).toFixed(1)} frames/s: ${seconds.toFixed(2)} s`;
      await writeStandardOutput(
        `${printable(output)}: ${what}, ${counted(frames, 'frame')}, ${contents.length} bytes, ${pace}\n`,
      );
    }
  });
}

async function encodeIndex(
  planPath: string,
  index: number,
  flags: ChunkFlags,
  { interruption, signal }: Stopping,
  warnings: Warnings,
): Promise<ChunkOutcome> {
  const { output, input, pass, threads } = flags;
  const plan = await readPlanFile(planPath);
  await requireOtherThanPlanned(plan, { '-o': output });
  const { frames } = chunkOf(plan, index);
  const source = await openPlannedInput(plan, input, interruption, warnings.add);
  const label = pass === 1 ? `first pass of chunk ${index}` : `chunk ${index}`;
  const progress = progressDisplay(flags)(frames, { label, frameRate: plan.input.frameRate });
  let coded = 0;
  const run: ChunkRun = {
    ...(threads !== undefined && { threads }),
    signal,
    onWarning: warnings.add,
    ...(pass === 1
      ? { onProgress: done => progress.update(done) }
      : { onPicture: report => progress.update(++coded, report) }),
  };
  try {
    if (pass === 1) {
      const measurement = await measureChunk(source, plan, index, run);
      return { contents: `${JSON.stringify(measurement)}\n`, frames, figures: {} };
    }
    const chunk = await encodeChunk(source, plan, index, run);
    return { contents: chunk.bytes, frames, figures: figuresOf(chunk) };
  } finally {
    progress.stop();
    await source.close();
  }
}

function figuresOf({ statistics }: EncodedChunk): object {
  const { bits, psnr, estimator, device, threads } = statistics;
  return {
    bits,
    psnr: finitePsnrs(psnr),
    estimator,
    device,
    threads,
  };
}
