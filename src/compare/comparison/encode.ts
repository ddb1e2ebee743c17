// Encodes the frames of a comparison with one estimator, for quality or for speed.
import { readMacroblocks } from '../../bitstream/reading/read-picture.js';
import { Encoder } from '../../encoder/encoder.js';
import type { EncoderOptions } from '../../encoder/options.js';
import type { PsnrSummary, StageTimes } from '../../encoder/report/statistics.js';
import { messageOf } from '../../errors.js';
import { needsGpu } from '../../motion/built-in-estimators.js';
import type { Frame } from '../../picture/frame.js';
import { macroblockGrid } from '../../picture/picture.js';
import type { PlaneValues } from '../quality/plane-values.js';
import { SequenceQuality } from '../quality/sequence-quality.js';
import type { VmafMeter } from '../quality/vmaf-choice.js';
import { settingText } from './compared-rates.js';
import type { ComparisonJob } from './job.js';
import { JoinedPictures } from './joined-pictures.js';
import type { MeasuredFigures } from './measured-picture.js';
import { createComparedEstimator } from './search.js';
import { FieldRecorder } from './searched-fields.js';

/** Bits and quality of an encode. */
export interface QualityEncode {
  readonly bits: number;
  /** Bits of the motion codes, a part of `bits`. */
  readonly vectorBits: number;
  readonly psnr: PsnrSummary;
  readonly ssim: PlaneValues;
  /** Mean VMAF of all pictures, 0..100; undefined if it was not measured. */
  readonly vmaf: number | undefined;
  /** In display order. */
  readonly pictures: readonly MeasuredFigures[];
}

/** One timed encode. The clock starts when the estimator has been made and the first frame added. */
export interface TimedEncode {
  /** Time before that: making the estimator, its threads and its buffers. */
  readonly setupMs: number;
  readonly encodeMs: number;
  /** Time that the coder waited for vectors. */
  readonly waitMs: number;
  /** Time of all searches, in other threads or on the GPU too. */
  readonly searchBusyMs: number;
  /** Number of searches. */
  readonly searches: number;
  readonly stages: Readonly<StageTimes>;
}

/** Encodes the frames and measures every picture. Calls the job's `onPicture`. */
export async function encodeForQuality(job: ComparisonJob, estimator: string, value: number): Promise<QualityEncode> {
  const meter = job.vmaf && 'open' in job.vmaf ? await job.vmaf.open() : undefined;
  try {
    const measured = await encodeAndMeasure(job, estimator, value, meter);
    const vmaf = await meter?.finish().catch((error: unknown) => {
      job.onWarning?.(`no VMAF of ${encodeText(job, estimator, value)}: ${messageOf(error)}`);
      return undefined;
    });
    return { ...measured, vmaf };
  } finally {
    await meter?.stop();
  }
}

async function encodeAndMeasure(
  job: ComparisonJob,
  estimator: string,
  value: number,
  meter: VmafMeter | undefined,
): Promise<Omit<QualityEncode, 'vmaf'>> {
  const quality = new SequenceQuality(true);
  const pictures: MeasuredFigures[] = [];
  const coded = new Map<number, Omit<MeasuredFigures, 'ssimY'>>();
  const recorder = value === job.searchedFieldsAt ? new FieldRecorder() : undefined;
  const recorded = recorder?.record(async () => (await createComparedEstimator(job, estimator)).estimator);
  const { onPicture } = job;
  const joined = onPicture && new JoinedPictures(onPicture);
  const encoder = newEncoder(job, estimator, value, {
    ...(recorded && { estimator: recorded }),
    onPicture: ({ frame, type, bits, vectorBits, psnrY, macroblocks }) => {
      coded.set(frame, { frame, type, bits, vectorBits, psnrY, macroblocks });
    },
    onReconstruction: async (reconstruction, frame) => {
      const source = job.frames[frame]!;
      const ssimY = quality.add(source, reconstruction).ssim!.y;
      await meter?.add(source, reconstruction);
      const figures = { ...coded.get(frame)!, ssimY };
      coded.delete(frame);
      pictures.push(figures);
      const searched = recorder?.take(frame);
      await joined?.addShown({ figures, estimator, value, source, reconstruction, searched });
    },
  });
  const adding = async () => {
    for (const frame of job.frames) await encoder.add(frame);
    await encoder.finish();
  };
  await Promise.all([adding(), joined ? readUnits(encoder, job.frames[0]!, joined) : discardUnits(encoder)]);
  const { bits, psnr } = encoder.statistics;
  const vectorBits = pictures.reduce((sum, picture) => sum + picture.vectorBits, 0);
  return { bits, vectorBits, psnr, ssim: quality.ssim(), pictures };
}

/** Reads the macroblocks of each access unit. */
async function readUnits(encoder: Encoder, { width, height }: Frame, joined: JoinedPictures): Promise<void> {
  const { mbWidth, mbHeight } = macroblockGrid(width, height);
  for await (const { data, displayNumber } of encoder) {
    await joined.addMacroblocks(displayNumber, readMacroblocks(data, mbWidth, mbHeight));
  }
}

/** Encodes the frames without any callback, and measures the time. */
export async function encodeForSpeed(job: ComparisonJob, estimator: string, value: number): Promise<TimedEncode> {
  const encoder = newEncoder(job, estimator, value, {});
  const [first, ...others] = job.frames as [Frame, ...Frame[]];
  const begin = performance.now();
  const discarding = discardUnits(encoder);
  await encoder.add(first);
  const start = performance.now();
  for (const frame of others) await encoder.add(frame);
  await encoder.finish();
  const encodeMs = performance.now() - start;
  await discarding;
  const { motion, stages } = encoder.statistics;
  return {
    setupMs: start - begin,
    encodeMs,
    waitMs: motion.waitMs,
    searchBusyMs: motion.busyMs,
    searches: motion.pictures,
    stages,
  };
}

/** An encode in a message: `cpu-log at q 8`. */
function encodeText({ settings }: ComparisonJob, estimator: string, value: number): string {
  return `${estimator} at ${settingText(settings.option, value)}`;
}

/** `more` may have an estimator's factory in place of its name. */
function newEncoder(
  job: ComparisonJob,
  estimator: string,
  value: number,
  more: Pick<EncoderOptions, 'estimator' | 'onPicture' | 'onReconstruction'>,
): Encoder {
  const { frames, frameRate, encoder, estimators, settings, signal, onWarning } = job;
  const { width, height } = frames[0]!;
  // All encodes get the same number of threads. For few frames it would be 1, but not with a GPU estimator: where one
  // is compared, no encode is told how many frames come.
  const isGpuAmong = estimators.some(needsGpu);
  return new Encoder({
    ...encoder,
    ...(!isGpuAmong && { expectedFrames: frames.length }),
    width,
    height,
    frameRate,
    estimator,
    ...more,
    [settings.option]: value,
    ...(signal && { signal }),
    ...(onWarning && { onWarning: message => onWarning(`${encodeText(job, estimator, value)}: ${message}`) }),
  });
}

/** Takes the coded units and drops them. `add` and `finish` report every error. */
async function discardUnits(encoder: Encoder): Promise<void> {
  try {
    for await (const _ of encoder);
  } catch {}
}
