import { yieldToEventLoop } from '../../encoder/event-loop.js';
import type { EncoderOptions } from '../../encoder/options.js';
import type { StageTimes } from '../../encoder/report/statistics.js';
import { OptionError, UnsupportedError } from '../../errors.js';
import { createEstimator } from '../../motion/registry.js';
import type { Frame } from '../../picture/frame.js';
import { encodeForQuality, encodeForSpeed, type MeasuredPicture, type QualityEncode } from './comparison-encode.js';
import { parametersOf } from './comparison-parameters.js';
import { type FieldStudy, fullSearchFields, studyFields, timeSearch } from './comparison-search.js';
import { type EstimatorRow, estimatorRow, withBdRates } from './comparison-summary.js';

/** What is compared on which frames. */
export interface ComparisonJob {
  /** All of one size, at least two; they stay in memory, so that reading them is no part of any time. */
  readonly frames: readonly Frame[];
  readonly frameRate: EncoderOptions['frameRate'];
  /** Registered names or module paths, all different; the first is what the others are measured against. */
  readonly estimators: readonly string[];
  /** quantizer_scales, all different. */
  readonly quantizers: readonly number[];
  /** Timed runs of everything, at least 1, after one that is not timed. */
  readonly runs: number;
  /** The encoder's options that all have in common. */
  readonly encoder: ComparedEncoderOptions;
  /** Ends the comparison early: what is finished is kept. */
  readonly signal?: AbortSignal;
  /** Told how many of the encodes and searches, each counting its frames, are done. */
  readonly onProgress?: (frames: number) => void;
  /** Given each picture of each estimator's encodes as it is measured, once; the comparison waits for its promise. */
  readonly onPicture?: (picture: MeasuredPicture) => void | Promise<void>;
  readonly onWarning?: (message: string) => void;
}

/** Options of the encoder that a comparison leaves to its user. */
export type ComparedEncoderOptions = Pick<
  EncoderOptions,
  | 'gop'
  | 'bFrames'
  | 'preset'
  | 'tools'
  | 'slices'
  | 'range'
  | 'metric'
  | 'candidates'
  | 'motionReference'
  | 'threads'
  | 'kernels'
>;

/** What came of it. */
export interface Comparison {
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  readonly framesPerSecond: number;
  readonly quantizers: readonly number[];
  readonly runs: number;
  /** One row an estimator, in the order asked for; also for those that cannot run here. */
  readonly rows: readonly EstimatorRow[];
  /** True: ended early, so that some figures are missing. */
  readonly interrupted: boolean;
}

/** An estimator during the comparison. */
export interface Contender {
  /** As asked for. */
  readonly estimator: string;
  name: string;
  device: string;
  passedOver: readonly { readonly name: string; readonly reason: string }[];
  exhaustive: boolean;
  outcome: 'finished' | 'unsupported' | 'failed';
  reason: string | undefined;
  study: FieldStudy | undefined;
  /** Mean search time of a pair in milliseconds, a number per timed run. */
  readonly searchMs: number[];
  readonly encodes: Map<number, ContenderEncode>;
}

/** A contender's encodes at one quantizer: measured once, as they are all equal, and timed several times. */
export interface ContenderEncode {
  readonly quality: QualityEncode;
  readonly runs: TimedEncode[];
}

/** One timed encode. The clock starts when the estimator has been made and the first frame taken. */
export interface TimedEncode {
  readonly setupMs: number;
  readonly encodeMs: number;
  readonly waitMs: number;
  readonly searchBusyMs: number;
  /** Fields that the encode asked for. */
  readonly searches: number;
  readonly stages: Readonly<StageTimes>;
}

/**
 * Compares estimators by encoding the same frames with each. First everything once for its quality, which warms up as
 * well; then `runs` times for its speed, the estimators in turn (A B C, A B C, ...), so that a slow minute of the machine
 * hits all of them. An estimator that is not supported here, or fails, keeps a row with the reason. Throws OptionError
 * for options that no encode could take.
 */
export async function compareEstimators(job: ComparisonJob): Promise<Comparison> {
  checkJob(job);
  const contenders = job.estimators.map(newContender);
  const progress = new ComparisonProgress(job);
  let interrupted = false;
  try {
    for (const contender of contenders) await attempt(job, contender, () => introduce(job, contender));
    const full = contenders.some(isRunning) ? await fullSearchFields(job) : [];
    for (const contender of contenders) {
      await attempt(job, contender, async () => {
        contender.study = await studyFields(job, contender.estimator, full);
      });
    }
    for (const q of job.quantizers) {
      for (const contender of contenders) {
        await attempt(job, contender, () => measureQuality(job, contender, q));
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
    quantizers: job.quantizers,
    runs: job.runs,
    rows: withBdRates(contenders.map(contender => estimatorRow(contender, job.frames.length))),
    interrupted,
  };
}

/** Encodes and searches of a comparison, each counted with its frames: what `onProgress` will come to. */
export function comparisonFrames({ frames, estimators, quantizers, runs }: ComparisonJob): number {
  return frames.length * estimators.length * quantizers.length * (runs + 1);
}

function checkJob({ frames, estimators, quantizers, runs }: ComparisonJob): void {
  if (frames.length < 2) throw new OptionError('frames', `${frames.length} frames cannot be compared: 2 are needed`);
  if (estimators.length === 0) throw new OptionError('estimators', 'no estimators to compare: name at least one');
  const twice = estimators.find((estimator, i) => estimators.indexOf(estimator) !== i);
  if (twice !== undefined) throw new OptionError('estimators', `estimator '${twice}' is named twice`);
  if (quantizers.length === 0) throw new OptionError('qs', 'no quantizers to encode at: name at least one of 1..31');
  for (const [i, q] of quantizers.entries()) {
    if (!(Number.isInteger(q) && q >= 1 && q <= 31)) throw new OptionError('qs', `quantizer ${q} is not one of 1..31`);
    if (quantizers.indexOf(q) !== i) throw new OptionError('qs', `quantizer ${q} is named twice`);
  }
  if (!(Number.isInteger(runs) && runs >= 1 && runs <= 1000)) {
    throw new OptionError('repeat', `repeat ${runs} is not a whole number from 1 to 1000`);
  }
}

function newContender(estimator: string): Contender {
  return {
    estimator,
    name: estimator,
    device: '',
    passedOver: [],
    exhaustive: false,
    outcome: 'finished',
    reason: undefined,
    study: undefined,
    searchMs: [],
    encodes: new Map(),
  };
}

function isRunning({ outcome }: Contender): boolean {
  return outcome === 'finished';
}

/** Does one step of a contender that is still running; its failure is noted and stops no other. */
async function attempt(job: ComparisonJob, contender: Contender, step: () => Promise<void>): Promise<void> {
  await yieldToEventLoop();
  job.signal?.throwIfAborted();
  if (!isRunning(contender)) return;
  try {
    await step();
  } catch (error) {
    if (job.signal?.aborted || error instanceof OptionError) throw error;
    contender.outcome = isUnsupported(error) ? 'unsupported' : 'failed';
    contender.reason = error instanceof Error ? error.message : String(error);
  }
}

/** By its name too: a third party's module cannot be expected to have our classes. */
function isUnsupported(error: unknown): boolean {
  return error instanceof UnsupportedError || (error instanceof Error && error.name === 'UnsupportedError');
}

/** Opens the estimator once, to know what it is and whether it runs here before anything takes long. */
async function introduce(job: ComparisonJob, contender: Contender): Promise<void> {
  const { estimator, passedOver } = await createEstimator(contender.estimator, parametersOf(job), kernelsOf(job));
  contender.name = estimator.traits.name;
  contender.device = estimator.device;
  contender.exhaustive = estimator.traits.exhaustive;
  contender.passedOver = passedOver;
  await estimator.close();
}

function kernelsOf({ encoder }: ComparisonJob): { kernels?: string } {
  return encoder.kernels === undefined ? {} : { kernels: encoder.kernels };
}

async function measureQuality(job: ComparisonJob, contender: Contender, q: number): Promise<void> {
  const quality = await encodeForQuality(job, contender.estimator, q);
  contender.encodes.set(q, { quality, runs: [] });
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
  for (const q of job.quantizers) {
    for (const contender of contenders) {
      await attempt(job, contender, async () => {
        contender.encodes.get(q)!.runs.push(await encodeForSpeed(job, contender.estimator, q));
      });
      progress.encoded();
    }
  }
}

class ComparisonProgress {
  #frames = 0;

  constructor(readonly job: ComparisonJob) {}

  /** One more encode is done, or was left out. */
  encoded(): void {
    this.#frames += this.job.frames.length;
    this.job.onProgress?.(this.#frames);
  }
}
