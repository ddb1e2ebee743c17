// Runs a study of motion: searches each pair of frames, measures the vectors, writes the files.
import { basename } from 'node:path';
import { spread } from '../../compare/comparison/spread.js';
import { compareFields, type FieldAgreement, visibleBlocks } from '../../compare/motion-fields/field-agreement.js';
import { type ReferenceSide, type SearchedPair, searchPairs } from '../../compare/motion-fields/pair-search.js';
import { type FrameDifference, MeanDifference, studyPair } from '../../compare/motion-fields/pair-study.js';
import { framesUntilStopped, openInput } from '../../encode-files/open-input.js';
import type { ShowProgress } from '../../encode-files/progress.js';
import { InputError, OptionError } from '../../errors.js';
import type { FrameSource, FrameSourceOptions } from '../../media/frames/frame-source.js';
import { KITTI_LIMITS } from '../../media/maps/kitti-flow.js';
import type { EstimatorParameters, MotionEstimator } from '../../motion/estimator.js';
import { type ChosenEstimator, createEstimator } from '../../motion/registry.js';
import { macroblockGrid } from '../../picture/picture.js';
import type { Interruption } from '../interruption.js';
import { type EstimateOutputPaths, EstimateOutputs } from './estimate-outputs.js';
import { Truth, type TruthPaths } from './estimate-truth.js';
import type { MotionSummary, PairEntry } from './pair-entry.js';

/** One study of motion. */
export interface EstimateJob {
  /** The input, as `openFrameSource` takes it. */
  readonly input: string;
  readonly source: FrameSourceOptions;
  readonly estimator: string;
  /** A second estimator that searches the same pairs; undefined for none. */
  readonly against: string | undefined;
  readonly search: Omit<EstimatorParameters, 'width' | 'height'>;
  readonly reference: ReferenceSide;
  /** True: measure and show luma only. */
  readonly gray: boolean;
  readonly truth: TruthPaths;
  readonly outputs: EstimateOutputPaths;
  readonly onWarning: (message: string) => void;
  readonly showProgress: ShowProgress;
}

/** The outcome of a study. */
export interface EstimateResult {
  readonly job: EstimateJob;
  readonly width: number;
  readonly height: number;
  readonly estimator: ChosenEstimator;
  readonly pairs: readonly PairEntry[];
  readonly total: MotionSummary;
  readonly interrupted: boolean;
  /** Names of the output files that were kept after an interruption. */
  readonly kept: readonly string[];
}

/**
 * Searches every pair of neighbouring frames and measures the vectors. An interruption ends it after the current pair;
 * what is finished is reported, and kept as `.partial`.
 */
export async function runEstimate(job: EstimateJob, interruption: Interruption): Promise<EstimateResult> {
  const source = await openInput(job.input, job.source, interruption);
  const opened: MotionEstimator[] = [];
  let outputs: EstimateOutputs | undefined;
  try {
    const truth = await Truth.read(job.truth, source);
    if (job.outputs.kitti !== undefined) requireKittiReach(job.search, source);
    const { onWarning } = job;
    outputs = await EstimateOutputs.open(job.outputs, source, job.gray, { signal: interruption.abort, onWarning });
    const { codedWidth: width, codedHeight: height } = macroblockGrid(source.width, source.height);
    const open = async (name: string): Promise<ChosenEstimator> => {
      const chosen = await createEstimator(name, { ...job.search, width, height }, { onWarning });
      opened.push(chosen.estimator);
      return chosen;
    };
    const estimator = await open(job.estimator);
    const against = job.against === undefined ? undefined : await open(job.against);
    return await studySource({ job, source, truth, outputs, estimator, against, interruption });
  } finally {
    await outputs?.discard();
    for (const estimator of opened) await estimator.close();
    await source.close();
  }
}

/** Throws an OptionError unless all vectors fit KITTI's flow PNG. No vector leads out of the picture. */
function requireKittiReach({ range, blockSize }: EstimateJob['search'], { width, height }: FrameSource): void {
  const { codedWidth, codedHeight } = macroblockGrid(width, height);
  const most = Math.floor(KITTI_LIMITS.greatest);
  const { x, y } = range === 'picture' ? { x: codedWidth, y: codedHeight } : range;
  if (Math.min(x, codedWidth - blockSize) <= most && Math.min(y, codedHeight - blockSize) <= most) return;
  const given = range === 'picture' ? range : `${range.x}x${range.y}`;
  throw new OptionError('kitti', `--kitti holds vectors of up to ${most} pels, --range is ${given}: use --flo instead`);
}

interface Study {
  readonly job: EstimateJob;
  readonly source: FrameSource;
  readonly truth: Truth;
  readonly outputs: EstimateOutputs;
  readonly estimator: ChosenEstimator;
  readonly against: ChosenEstimator | undefined;
  readonly interruption: Interruption;
}

async function studySource(study: Study): Promise<EstimateResult> {
  const { job, source, truth, outputs, estimator, against, interruption } = study;
  const progress = job.showProgress(source.frameCount === undefined ? undefined : source.frameCount - 1, {
    unit: 'pairs',
  });
  const pairs: PairEntry[] = [];
  const total = new Totals();
  try {
    const searched = searchPairs({
      frames: framesUntilStopped(source, interruption.stop),
      reference: job.reference,
      estimator: estimator.estimator,
      ...(against && { against: against.estimator }),
    });
    for await (const pair of searched) {
      interruption.abort.throwIfAborted();
      const pairStudy = studyPair(pair.current, pair.reference, pair.field);
      const entry: PairEntry = {
        frame: pair.currentNumber,
        referenceFrame: pair.referenceNumber,
        ...summaryOf(pair, pairStudy),
        ...(pair.pair === 0 && truth.compare(pair)),
      };
      pairs.push(entry);
      total.add(entry);
      await outputs.write({ ...pair, study: pairStudy, entry, caption: captionOf(job, estimator, entry) });
      progress.update(pairs.length);
    }
    const interrupted = interruption.stop.aborted;
    if (pairs.length === 0 && !interrupted) {
      const what = job.source.frames === 1 ? '--frames 1 leaves' : `${source.name} has`;
      throw new InputError(`${what} a single frame: motion takes two or more`);
    }
    const kept = interrupted && pairs.length > 0 ? await outputs.keepPartial() : [];
    if (!interrupted) await outputs.finish();
    const { width, height } = source;
    return { job, width, height, estimator, pairs, total: total.summary(), interrupted, kept };
  } finally {
    progress.stop();
  }
}

function summaryOf(
  { current, field, againstField, searchMs }: SearchedPair,
  { before, after }: Pick<MotionSummary, 'before' | 'after'>,
): MotionSummary {
  const { width, height } = current;
  const { columns, rows } = visibleBlocks(field, width, height);
  const agreement: FieldAgreement | undefined = againstField && compareFields(field, againstField, width, height);
  return { blocks: columns * rows, searchMs, equalBlocks: agreement?.equal, before, after };
}

/** Sums up the pairs of a sequence. */
class Totals {
  readonly #before = new MeanDifference();
  readonly #after = new MeanDifference();
  readonly #timesMs: number[] = [];
  #blocks = 0;
  #equalBlocks: number | undefined;

  add({ blocks, searchMs, equalBlocks, before, after }: MotionSummary): void {
    this.#before.add(before);
    this.#after.add(after);
    this.#timesMs.push(searchMs);
    this.#blocks += blocks;
    if (equalBlocks !== undefined) this.#equalBlocks = (this.#equalBlocks ?? 0) + equalBlocks;
  }

  summary(): MotionSummary {
    return {
      blocks: this.#blocks,
      searchMs: spread(this.#timesMs)?.median ?? Number.NaN,
      equalBlocks: this.#equalBlocks,
      before: this.#before.mean(),
      after: this.#after.mean(),
    };
  }
}

/** Two lines for the legend of a pair's overlay. */
function captionOf(job: EstimateJob, { estimator }: ChosenEstimator, entry: PairEntry): string[] {
  const { range, blockSize } = job.search;
  const reach = range === 'picture' ? 'whole picture' : `${range.x}x${range.y}`;
  const plane = job.gray ? 'y' : 'all';
  const { before, after } = entry;
  const decibels = (difference: FrameDifference): string =>
    Number.isFinite(difference.psnr[plane]) ? difference.psnr[plane].toFixed(2) : 'equal';
  return [
    `frame ${entry.frame} from ${entry.referenceFrame}  ${basename(estimator.traits.name)}  block ${blockSize}  range ${reach}`,
    `PSNR ${decibels(before)} -> ${decibels(after)} dB  SAD ${before.sad[plane]} -> ${after.sad[plane]}`,
  ];
}
