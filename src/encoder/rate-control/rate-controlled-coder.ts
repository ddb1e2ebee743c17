// Codes a picture at a bit rate, again and again until it fits its budget.
import { setVbvDelay } from '../../bitstream/syntax/picture-header.js';
import type { CodedPicture } from '../coders/coded-picture.js';
import type { CodingThread } from '../coders/coding-thread.js';
import type { PlannedPicture } from '../gop/gop-plan.js';
import type { PictureJob } from '../picture/picture-job.js';
import { type BudgetSettings, meanRowScale } from './picture-budget.js';
import type { RateController } from './rate-controller.js';

/** A picture that is coded at its scale. */
export interface ScaledPicture extends CodedPicture {
  /** Bits of `data` without stuffing. */
  readonly bits: number;
  /** Its picture scale, before the scale factors of macroblocks; need not be whole. */
  readonly scale: number;
}

/**
 * Codes a picture, the first of `upcoming`, as often as the rate controller asks for; `firstBudget` is what `begin`
 * gave. Stuffing is added where the buffer needs it. `isEnd`: no pictures follow `upcoming`.
 */
export async function codeAtRate(
  thread: CodingThread,
  rate: RateController,
  firstBudget: BudgetSettings,
  job: Omit<PictureJob, 'quantizerScale' | 'budget'>,
  upcoming: readonly PlannedPicture[],
  isEnd: boolean,
): Promise<ScaledPicture> {
  let budget = firstBudget;
  let codingMs = 0;
  let writingMs = 0;
  for (let attempts = 0; ; attempts++) {
    const coded = await thread.code({ ...job, quantizerScale: budget.scale, budget });
    codingMs += coded.codingMs;
    writingMs += coded.writingMs;
    const rows = coded.rows!;
    const scale = meanRowScale(rows);
    const bits = coded.data.length * 8;
    const newScene = attempts === 0 ? rate.beginNewScene(budget, bits, scale, upcoming, isEnd) : undefined;
    const next = newScene ?? rate.retry(budget, bits, scale, attempts);
    if (!next) {
      const delayTicks = rate.delayTicks(8 * coded.pictureHeader);
      if (delayTicks !== undefined) setVbvDelay(coded.data, coded.pictureHeader, delayTicks);
      const stuffing = rate.accept(job.plan.codedNumber, budget, bits, rows, isEnd && upcoming.length === 1);
      return { ...coded, data: followedByZeros(coded.data, stuffing), bits, scale, codingMs, writingMs };
    }
    budget = next;
  }
}

/** The access unit with zero_byte stuffing before the next start code; ISO/IEC 11172-2 §2.4.2.1. */
function followedByZeros(data: Uint8Array, bytes: number): Uint8Array {
  if (bytes === 0) return data;
  const stuffed = new Uint8Array(data.length + bytes);
  stuffed.set(data);
  return stuffed;
}
