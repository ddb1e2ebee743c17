// `mpegpu encode --plan`: all chunks of a plan, one after another.
import { ChunkJoiner } from '../../chunks/assemble-chunks.js';
import { budgetChunks, type ChunkMeasurement } from '../../chunks/chunk-budgets.js';
import { type ChunkPlan, needsFirstPass } from '../../chunks/chunk-plan.js';
import { checkSource } from '../../chunks/chunk-source.js';
import { type ChunkRun, encodeChunk, measureChunk } from '../../chunks/encode-chunk.js';
import { wholeStatistics } from '../../chunks/whole-statistics.js';
import { checkTarget } from '../../encode-files/check-options.js';
import type { EncodeJob, EncodeResult } from '../../encode-files/encode-run.js';
import { type ChosenSound, chooseSound, soundReport } from '../../encode-files/encode-sound.js';
import { JsonLinesFile } from '../../encode-files/json-lines-file.js';
import { signalOfTerminal } from '../../encode-files/open-input.js';
import { OutputSet } from '../../encode-files/output-set.js';
import type { PictureReport, VectorReport } from '../../encoder/report/picture-report.js';
import type { EncoderStatistics } from '../../encoder/report/statistics.js';
import { resolveOptions } from '../../encoder/settings/resolve-options.js';
import { OptionError } from '../../errors.js';
import type { FrameRanges } from '../../media/frames/frame-ranges.js';
import { isReadOnce } from '../../media/input-kind.js';
import { VideoWriter } from '../../media/output/video-writer.js';
import { Y4mWriter } from '../../media/output/y4m-writer.js';
import { KeptThreads } from '../../threads/node/kept-threads.js';
import { StdoutWriter } from '../encode/stdout-writer.js';
import { Interrupted } from '../failure.js';
import type { Interruption } from '../interruption.js';
import { MissedRates } from './missed-rates.js';
import { openPlannedInput, readPlanFile, requireOtherThanPlanned } from './plan-file.js';

/** One encode by a plan. */
export interface PlannedEncodeJob
  extends Pick<
    EncodeJob,
    | 'input'
    | 'output'
    | 'sound'
    | 'overwrite'
    | 'recon'
    | 'vectors'
    | 'onWarning'
    | 'onLeftover'
    | 'showProgress'
    | 'onPicture'
  > {
  /** The file of the plan. */
  readonly plan: string;
  readonly threads: number | undefined;
}

/**
 * Encodes the chunks of a plan one after another, in both passes if it has a bit rate and no budgets. After a first
 * interruption the chunks so far are kept as `.partial`, without reconstruction and vectors. After a second one, or a
 * failure, nothing is left behind, and the reason is thrown.
 */
export async function runEncodeByPlan(job: PlannedEncodeJob, interruption: Interruption): Promise<EncodeResult> {
  const start = performance.now();
  const plan = await readPlanFile(job.plan);
  await requireOtherThanPlanned(plan, { '-o': job.output, '--recon': job.recon, '--vectors': job.vectors });
  checkTarget(plan.options.target, job.output);
  if (needsFirstPass(plan) && (await isReadOnce(job.input))) {
    throw new OptionError(
      'plan',
      `${job.plan} asks for two passes, and ${job.input} can be read once only: use a file`,
    );
  }
  const source = await openPlannedInput(plan, job.input, interruption, job.onWarning);
  const outputs = new OutputSet(interruption.stop);
  // Each chunk is an encode by itself.
  const keptThreads = new KeptThreads();
  let chosen: ChosenSound | undefined;
  try {
    checkSource(source, plan);
    const { input, output } = job;
    chosen = await chooseSound(job.sound, { input, output, soundTracks: source.soundTracks }, interruption);
    const result = await encodeAll(job, plan, { source, outputs, chosen, interruption, keptThreads });
    return { ...result, seconds: (performance.now() - start) / 1000 };
  } finally {
    await source.close();
    await outputs.discard();
    await chosen?.sound?.close();
    await keptThreads.close();
  }
}

/** What an encode reads, writes, listens to and works with. */
interface Ends {
  readonly source: FrameRanges;
  readonly outputs: OutputSet;
  readonly chosen: ChosenSound;
  readonly interruption: Interruption;
  readonly keptThreads: KeptThreads;
}

/** Opens the files that the encode writes, which `outputs` takes. */
async function openOutputs(job: PlannedEncodeJob, { input }: ChunkPlan, { outputs, chosen, interruption }: Ends) {
  const { overwrite, onLeftover, onWarning } = job;
  const options = { overwrite, signal: interruption.abort, onLeftover, onWarning };
  const recon =
    job.recon === undefined ? undefined : await outputs.addOpening('recon', Y4mWriter.open(job.recon, input, options));
  const vectors =
    job.vectors === undefined
      ? undefined
      : await outputs.addOpening('vectors', JsonLinesFile.open<VectorReport>(job.vectors, options));
  const { sound } = chosen;
  const video =
    job.output === '-'
      ? outputs.add(new StdoutWriter())
      : await outputs.addOpening('output', VideoWriter.open(job.output, input, { ...options, sound }));
  return { recon, vectors, video };
}

async function encodeAll(job: PlannedEncodeJob, given: ChunkPlan, ends: Ends): Promise<Omit<EncodeResult, 'seconds'>> {
  const { source, outputs, chosen, interruption, keptThreads } = ends;
  const { width, height, frameRate, frames: expectedFrames } = given.input;
  const { recon, vectors, video } = await openOutputs(job, given, ends);
  const settings = resolveOptions({ ...given.options, width, height, frameRate, expectedFrames });
  const machine: ChunkRun = {
    threads: job.threads ?? settings.threads,
    keptThreads,
    signal: AbortSignal.any([interruption.stop, interruption.abort]),
  };
  const hasTwoPasses = needsFirstPass(given);
  const plan = hasTwoPasses ? await firstPass(job, given, machine, { source, interruption }) : given;
  const joiner = new ChunkJoiner(plan, video, {});
  const coded: EncoderStatistics[] = [];
  const rates = new MissedRates(plan, job.onWarning);
  const progress = job.showProgress(expectedFrames, { label: hasTwoPasses ? 'pass 2 of 2' : undefined, frameRate });
  let pictures = 0;
  const run: ChunkRun = {
    ...machine,
    onPicture: async (report: PictureReport) => {
      job.onPicture(report);
      await vectors?.write(report.vectors());
      progress.update(++pictures, report);
    },
    ...(recon && { onReconstruction: frame => recon.write(frame) }),
  };
  try {
    for (const { index } of plan.chunks) {
      progress.begin(`chunk ${index + 1} of ${plan.chunks.length}`);
      const onWarning = (message: string) => rates.add(index, message);
      const chunk = await unlessStopped(encodeChunk(source, plan, index, { ...run, onWarning }), interruption);
      if (!chunk) break;
      await joiner.appendEncoded(chunk);
      coded.push(chunk.statistics);
    }
  } finally {
    progress.stop();
  }
  const interrupted = coded.length < plan.chunks.length;
  if (coded.length === 0) throw new Interrupted('interrupted in the first chunk: nothing was kept');
  rates.end(coded);
  const statistics = wholeStatistics(await joiner.end(), coded);
  const output = interrupted ? await keepPartial(video) : job.output;
  if (!interrupted) await outputs.finish();
  const audio = soundReport(chosen, { frames: video.soundFrames, interrupted }, job.sound);
  return { output, width, height, frameRate, statistics, interrupted, ...audio };
}

async function firstPass(
  { showProgress }: PlannedEncodeJob,
  plan: ChunkPlan,
  machine: ChunkRun,
  { source, interruption }: Pick<Ends, 'source' | 'interruption'>,
): Promise<ChunkPlan> {
  const progress = showProgress(plan.input.frames, { label: 'pass 1 of 2' });
  let pictures = 0;
  const run: ChunkRun = { ...machine, onProgress: () => progress.update(++pictures) };
  const measurements: ChunkMeasurement[] = [];
  try {
    for (const { index } of plan.chunks) {
      progress.begin(`chunk ${index + 1} of ${plan.chunks.length}`);
      const measurement = await unlessStopped(measureChunk(source, plan, index, run), interruption);
      if (!measurement) throw new Interrupted('interrupted in the first pass: nothing was kept');
      measurements.push(measurement);
    }
  } finally {
    progress.stop();
  }
  return budgetChunks(plan, measurements);
}

/** The result of coding a chunk; undefined once the user has stopped it. */
async function unlessStopped<Result>(
  coding: Promise<Result>,
  { stop, abort }: Interruption,
): Promise<Result | undefined> {
  try {
    return await coding;
  } catch (error) {
    await signalOfTerminal(stop);
    if (!stop.aborted || abort.aborted) throw error;
    return undefined;
  }
}

/** Keeps the chunks so far. Returns the name of the video. */
async function keepPartial(video: VideoWriter | StdoutWriter): Promise<string> {
  return video instanceof StdoutWriter ? 'standard output' : video.keepPartial();
}
