// The statistics of an encode, and the sums that they are made from.

import { chromaLength } from '../../picture/frame.js';
import type { MacroblockGrid } from '../../picture/picture.js';
import type { MotionStatistics } from '../motion/motion-pipeline.js';
import { PassLog } from '../rate-control/pass-log.js';
import type { PassPicture } from '../rate-control/pass-statistics.js';
import { type PictureReport, psnr } from './picture-report.js';

/**
 * PSNR in dB of a whole encode, from the mean squared error of all pictures; `all` is that of the three planes
 * together.
 */
export interface PsnrSummary {
  readonly y: number;
  readonly u: number;
  readonly v: number;
  readonly all: number;
}

/** The time of the coder by its stages, in milliseconds. */
export interface StageTimes {
  /** Waiting for frames while a coder was idle. */
  inputMs: number;
  /** Waiting for motion while a coder was idle; with one thread, searching it. */
  motionMs: number;
  /** Deciding, transforming and reconstructing macroblocks, and writing their blocks, on all threads together. */
  codingMs: number;
  /** Writing all else of the bitstream: headers and vectors, on all threads together. */
  writingMs: number;
}

/** An encode so far. */
export interface EncoderStatistics {
  readonly frames: number;
  readonly bits: number;
  readonly psnr: PsnrSummary;
  /** The estimator's name and what it runs on; empty before the first frame. */
  readonly estimator: string;
  readonly device: string;
  /** What `auto` tried before the estimator that it took, each with the reason why it cannot run here. */
  readonly passedOver: readonly { readonly name: string; readonly reason: string }[];
  readonly threads: number;
  readonly motion: MotionStatistics;
  readonly stages: Readonly<StageTimes>;
}

/** The sums of an encode so far. */
export class EncodeTotals {
  frames = 0;
  /** Bits of the stream. */
  bits = 0;
  readonly stages: StageTimes = { inputMs: 0, motionMs: 0, codingMs: 0, writingMs: 0 };
  /** Each picture in coded order. */
  readonly passed = new PassLog();
  readonly #squaredError = { y: 0, u: 0, v: 0 };

  /** Counts a coded picture; `passed` is what a second pass will ask of it, if there can be one. */
  add(report: PictureReport, passed: PassPicture | undefined): void {
    this.frames++;
    this.bits += report.bits;
    if (passed) this.passed.add(passed);
    this.#squaredError.y += report.squaredError.y;
    this.#squaredError.u += report.squaredError.u;
    this.#squaredError.v += report.squaredError.v;
  }

  psnr({ displayWidth, displayHeight }: MacroblockGrid): PsnrSummary {
    return psnrSummary(this.#squaredError, this.frames, displayWidth, displayHeight);
  }
}

/** The PSNR of so many frames of a size in pels from the sums of their squared errors. */
export function psnrSummary(
  { y, u, v }: PictureReport['squaredError'],
  frames: number,
  width: number,
  height: number,
): PsnrSummary {
  const luma = width * height * frames;
  const chroma = chromaLength(width) * chromaLength(height) * frames;
  return { y: psnr(y, luma), u: psnr(u, chroma), v: psnr(v, chroma), all: psnr(y + u + v, luma + 2 * chroma) };
}
