// Runs a comparison: reads the frames, compares the estimators, writes the report.
import { cpus } from 'node:os';
import { type Comparison, compareEstimators } from '../../compare/comparison/compare-estimators.js';
import { type ComparedEncoderOptions, type ComparisonJob, comparisonFrames } from '../../compare/comparison/job.js';
import { InputError } from '../../errors.js';
import type { FrameSource, FrameSourceOptions } from '../../media/frames/frame-source.js';
import { encodeWebp } from '../../media/images/webp-encoder.js';
import { OutputFile } from '../../media/output/output-file.js';
import { type Frame, i420Bytes } from '../../picture/frame.js';
import { Interrupted, printWarning } from '../failure.js';
import type { Interruption } from '../interruption.js';
import type { ShowProgress } from '../progress-bar.js';
import { openInput, streamRate } from '../source-frames.js';

/** Most bytes of decoded frames in memory. The rest of a longer clip is left out. */
const MAX_FRAME_BYTES = 2 ** 30;

/** One comparison, from input to report. */
export interface CompareJob {
  /** The input, as `openFrameSource` takes it. */
  readonly input: string;
  readonly source: FrameSourceOptions;
  readonly estimators: readonly string[];
  readonly quantizers: readonly number[];
  readonly runs: number;
  readonly encoder: ComparedEncoderOptions;
  /** Name of the HTML report; undefined for none. */
  readonly report: string | undefined;
  readonly overwrite: boolean;
  readonly showProgress: ShowProgress;
  readonly onWarning: (message: string) => void;
}

/** The outcome of a comparison. */
export interface CompareResult {
  readonly input: string;
  readonly comparison: Comparison;
  readonly encoder: ComparedEncoderOptions;
  readonly machine: Machine;
  /** Name of the report; undefined if none was asked for, or if nothing was measured. */
  readonly report: string | undefined;
}

/** The machine that the times were measured on. */
export interface Machine {
  readonly cpu: string;
  readonly threads: number;
  readonly node: string;
}

/**
 * Reads the frames, compares the estimators and writes the report. After a first interruption the comparison ends, and
 * what is finished is kept, the report included. After a second one nothing is kept.
 */
export async function runCompare(job: CompareJob, interruption: Interruption): Promise<CompareResult> {
  const { input, estimators, quantizers, runs, encoder, onWarning } = job;
  // Opened first: if the report cannot be written, the user learns it before the work.
  const options = { overwrite: job.overwrite, signal: interruption.abort, onLeftover: printWarning };
  const file = job.report === undefined ? undefined : await OutputFile.open(job.report, options);
  try {
    const { frames, frameRate } = await readFrames(job, interruption);
    const comparing = {
      frames,
      frameRate,
      estimators,
      quantizers,
      runs,
      encoder,
      signal: interruption.stop,
      onWarning,
    };
    const pictures = file && (await newReportPictures(comparing));
    const progress = job.showProgress(comparisonFrames(comparing), { label: 'all encodes' });
    const comparison = await compareEstimators({
      ...comparing,
      onProgress: done => progress.update(done),
      ...(pictures && { onPicture: picture => pictures.add(picture) }),
    }).finally(() => progress.stop());
    const machine = describeMachine();
    const measured = comparison.rows.some(({ encodes }) => encodes.length > 0);
    if (file && pictures && measured) {
      const { reportPage } = await import('../../compare/report/page.js');
      const page = reportPage({ title: input, comparison, encoder, machine, viewer: await pictures.finish() });
      interruption.abort.throwIfAborted();
      await file.write(new TextEncoder().encode(page));
      await file.finish();
    }
    return { input, comparison, encoder, machine, report: measured ? job.report : undefined };
  } finally {
    await file?.discard();
  }
}

/** The pictures of the report. Their library is loaded only if a report is asked for. */
async function newReportPictures({ frames, estimators, quantizers }: ComparisonJob) {
  const { ReportPictures } = await import('../../compare/report/pictures.js');
  const { width, height } = frames[0]!;
  return new ReportPictures({ width, height, frames: frames.length, estimators, quantizers, encodeImage: encodeWebp });
}

async function readFrames(job: CompareJob, interruption: Interruption) {
  const source = await openInput(job.input, job.source, interruption);
  try {
    const frameRate = streamRate(source);
    const frames = await framesInMemory(source, interruption.stop, job.onWarning);
    if (frames.length < 2) {
      throw new InputError(`${source.name} has ${frames.length === 1 ? 'one frame' : 'no frames'}: 2 are needed`);
    }
    return { frames, frameRate };
  } finally {
    await source.close();
  }
}

async function framesInMemory(
  source: FrameSource,
  stop: AbortSignal,
  onWarning: (message: string) => void,
): Promise<Frame[]> {
  const maxFrames = Math.max(2, Math.floor(MAX_FRAME_BYTES / i420Bytes(source.width, source.height)));
  const frames: Frame[] = [];
  try {
    for await (const frame of source.frames(stop)) {
      if (frames.length === maxFrames) {
        onWarning(
          `${source.name}: only the first ${maxFrames} frames are compared, those that fit into 1 GiB of memory`,
        );
        break;
      }
      frames.push(frame);
    }
  } catch (error) {
    if (stop.aborted) throw new Interrupted('interrupted while reading the frames: there is nothing to show');
    throw error;
  }
  return frames;
}

function describeMachine(): Machine {
  const processors = cpus();
  return { cpu: processors[0]?.model.trim() ?? 'unknown', threads: processors.length, node: process.version };
}
