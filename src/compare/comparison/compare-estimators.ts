// Compares motion estimators: encodes the same frames with each, and measures speed and compression.
import { yieldToEventLoop } from '../../encoder/event-loop.js';
import { messageOf, OptionError } from '../../errors.js';
import type { BdMethod } from '../quality/bd-rate.js';
import type { ComparedRates } from './compared-rates.js';
import { type Contender, newContender } from './contender.js';
import { encodeForQuality, encodeForSpeed } from './encode.js';
import { type ComparisonJob, checkJob } from './job.js';
import { type EstimatorRow, estimatorRows } from './rows.js';
import { createComparedEstimator, fullSearchFields, studyFields, timeSearch } from './search.js';

/** The result of a comparison. */
export interface Comparison {
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  readonly framesPerSecond: number;
  readonly settings: ComparedRates;
  readonly runs: number;
  /** How BD-rates are interpolated, if someone chose. */
  readonly bdMethod: BdMethod | undefined;
  /** Why VMAF was not measured; undefined if it was. */
  readonly vmafLeftOut: string | undefined;
  /** A row for each estimator of the job, in its order; also for those that cannot run on this machine. */
  readonly rows: readonly EstimatorRow[];
  /** The job's signal ended it early: some figures are missing. */
  readonly interrupted: boolean;
}

/**
 * Encodes the same frames with each estimator: once for quality, which also warms up, then `runs` times for speed. The
 * estimators take turns (A B C, A B C, ...), so that a slow minute of the machine affects all of them. An estimator
 * that is unsupported here or fails has a row with the reason. Throws an OptionError for options that no encode
 * accepts.
 */
export async function compareEstimators(job: ComparisonJob): Promise<Comparison> {
  checkJob(job);
  const contenders = job.estimators.map(newContender);
  const progress = new ComparisonProgress(job);
  let interrupted = false;
  try {
    for (const contender of contenders) await attempt(job, contender, () => identify(job, contender));
    const full = contenders.some(isRunning) ? await fullSearchFields(job) : [];
    for (const contender of contenders) {
      await attempt(job, contender, async () => {
        contender.study = await studyFields(job, contender.estimator, full);
      });
    }
    for (const value of job.settings.values) {
      for (const contender of contenders) {
        await attempt(job, contender, () => measureQuality(job, contender, value));
        progress.encoded();
      }
    }
    for (let run = 0; run < job.runs; run++) await timeAll(job, contenders, progress);
  } catch (error) {
    if (!job.signal?.aborted) throw error;
    interrupted = true;
  }
  const { width, height } = job.frames[0]!;
  const rate = job.frameRate;
  return {
    width,
    height,
    frames: job.frames.length,
    framesPerSecond: typeof rate === 'number' ? rate : rate.numerator / rate.denominator,
    settings: job.settings,
    runs: job.runs,
    bdMethod: job.bdMethod,
    vmafLeftOut: vmafLeftOut(job),
    rows: estimatorRows(contenders, job),
    interrupted,
  };
}

function vmafLeftOut({ vmaf }: ComparisonJob): string | undefined {
  if (!vmaf) return 'nobody asked for it';
  return 'leftOut' in vmaf ? vmaf.leftOut : undefined;
}

function isRunning({ outcome }: Contender): boolean {
  return outcome === 'finished';
}

/** Does one step of a contender that has not failed yet. Its failure is recorded, and the others go on. */
async function attempt(job: ComparisonJob, contender: Contender, step: () => Promise<void>): Promise<void> {
  await yieldToEventLoop();
  job.signal?.throwIfAborted();
  if (!isRunning(contender)) return;
  try {
    await step();
  } catch (error) {
    if (job.signal?.aborted || error instanceof OptionError) throw error;
    contender.outcome = isUnsupported(error) ? 'unsupported' : 'failed';
    contender.reason = messageOf(error);
  }
}

/** By its name: a third party's module may have an UnsupportedError of its own. */
function isUnsupported(error: unknown): boolean {
  return error instanceof Error && error.name === 'UnsupportedError';
}

/** Makes the estimator once, to learn its name and whether it runs here before the long work starts. */
async function identify(job: ComparisonJob, contender: Contender): Promise<void> {
  const { estimator, passedOver } = await createComparedEstimator(job, contender.estimator);
  contender.name = estimator.traits.name;
  contender.device = estimator.device;
  contender.passedOver = passedOver;
  await estimator.close();
}

async function measureQuality(job: ComparisonJob, contender: Contender, value: number): Promise<void> {
  const quality = await encodeForQuality(job, contender.estimator, value);
  contender.encodes.set(value, { quality, runs: [] });
}

/** One timed run of everything. */
async function timeAll(
  job: ComparisonJob,
  contenders: readonly Contender[],
  progress: ComparisonProgress,
): Promise<void> {
  for (const contender of contenders) {
    await attempt(job, contender, async () => {
      contender.searchMs.push(await timeSearch(job, contender.estimator));
    });
  }
  for (const value of job.settings.values) {
    for (const contender of contenders) {
      await attempt(job, contender, async () => {
        contender.encodes.get(value)!.runs.push(await encodeForSpeed(job, contender.estimator, value));
      });
      progress.encoded();
    }
  }
}

/** Counts the frames of the encodes. */
class ComparisonProgress {
  #frames = 0;

  constructor(readonly job: ComparisonJob) {}

  /** One more encode has been done or left out. */
  encoded(): void {
    this.#frames += this.job.frames.length;
    this.job.onProgress?.(this.#frames);
  }
}
