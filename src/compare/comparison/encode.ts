import { Encoder } from '../../encoder/encoder.js';
import type { EncoderOptions } from '../../encoder/options.js';
import type { PictureReport, VectorReport } from '../../encoder/report/picture-report.js';
import type { PsnrSummary } from '../../encoder/report/statistics.js';
import type { Frame } from '../../picture/frame.js';
import { type PlaneValues, SequenceQuality } from '../quality/metrics.js';
import type { ComparisonJob, TimedEncode } from './compare-estimators.js';

/** What one encode is worth. */
export interface QualityEncode {
  readonly bits: number;
  /** Bits of motion codes among them. */
  readonly vectorBits: number;
  readonly psnr: PsnrSummary;
  readonly ssim: PlaneValues;
  readonly pictures: readonly PictureFigures[];
}

/** The figures of a picture, in display order. */
export interface PictureFigures {
  readonly frame: number;
  readonly type: PictureReport['type'];
  readonly bits: number;
  readonly vectorBits: number;
  readonly psnrY: number;
  readonly macroblocks: PictureReport['macroblocks'];
}

/** A picture of an encode with all that there is to show of it; display order. */
export interface MeasuredPicture {
  readonly estimator: string;
  readonly q: number;
  readonly figures: PictureFigures;
  readonly source: Frame;
  readonly reconstruction: Frame;
  readonly vectors: VectorReport;
  /** See `PictureReport.macroblockTypes`. */
  readonly macroblockTypes: Uint8Array;
}

/** Encodes once with every picture measured; its time is of no interest. */
export async function encodeForQuality(job: ComparisonJob, estimator: string, q: number): Promise<QualityEncode> {
  const quality = new SequenceQuality(true);
  const pictures: PictureFigures[] = [];
  const coded = new Map<number, Pick<MeasuredPicture, 'figures' | 'vectors' | 'macroblockTypes'>>();
  const encoder = newEncoder(job, estimator, q, {
    onPicture: report => {
      const { frame, type, bits, vectorBits, psnrY, macroblocks } = report;
      coded.set(frame, {
        figures: { frame, type, bits, vectorBits, psnrY, macroblocks },
        vectors: report.vectors(),
        macroblockTypes: report.macroblockTypes(),
      });
    },
    onReconstruction: async (reconstruction, frame) => {
      const source = job.frames[frame]!;
      const picture = coded.get(frame)!;
      coded.delete(frame);
      quality.add(source, reconstruction);
      pictures.push(picture.figures);
      await job.onPicture?.({ ...picture, estimator, q, source, reconstruction });
    },
  });
  const discarding = discardUnits(encoder);
  for (const frame of job.frames) await encoder.add(frame);
  await encoder.finish();
  await discarding;
  const { bits, psnr } = encoder.statistics;
  const vectorBits = pictures.reduce((sum, picture) => sum + picture.vectorBits, 0);
  return { bits, vectorBits, psnr, ssim: quality.ssim(), pictures };
}

/** Encodes once with nobody looking on. */
export async function encodeForSpeed(job: ComparisonJob, estimator: string, q: number): Promise<TimedEncode> {
  const encoder = newEncoder(job, estimator, q, {});
  const [first, ...others] = job.frames as [Frame, ...Frame[]];
  const begin = performance.now();
  const discarding = discardUnits(encoder);
  await encoder.add(first); // makes the estimator, its threads and its buffers
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

function newEncoder(
  { frames, frameRate, encoder, signal, onWarning }: ComparisonJob,
  estimator: string,
  q: number,
  callbacks: Pick<EncoderOptions, 'onPicture' | 'onReconstruction'>,
): Encoder {
  const { width, height } = frames[0]!;
  return new Encoder({
    ...encoder,
    ...callbacks,
    width,
    height,
    frameRate,
    estimator,
    q,
    ...(signal && { signal }),
    ...(onWarning && { onWarning }),
  });
}

/** Takes the coded units and drops them. Whatever fails is reported by `add` and `finish`. */
async function discardUnits(encoder: Encoder): Promise<void> {
  try {
    for await (const _ of encoder);
  } catch {}
}
