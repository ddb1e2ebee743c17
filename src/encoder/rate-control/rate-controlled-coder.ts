// Codes a picture at a bit rate, again and again until it fits its budget.
import { setVbvDelay } from '../../bitstream/syntax/picture-header.js';
import type { CodedPicture } from '../coders/coded-picture.js';
import type { CodingThread } from '../coders/coding-thread.js';
import type { PictureJob } from '../picture/picture-job.js';
import type { Delivery } from './buffer/deliveries.js';
import type { UpcomingPictures } from './forecast/bit-model.js';
import { type BudgetSettings, meanRowScale } from './picture-budget.js';
import type { PictureRate } from './picture-rate.js';

/** A picture that is coded at its scale. */
export interface ScaledPicture extends CodedPicture {
  /** Bits of `data` without stuffing. */
  readonly bits: number;
  /** Its picture scale, before the scale factors of macroblocks; need not be whole. */
  readonly scale: number;
}

/** A picture to code at a bit rate. */
export interface RatedJob {
  readonly job: Omit<PictureJob, 'quantizerScale' | 'budget'>;
  /** What `begin` gave. */
  readonly budget: BudgetSettings;
  /** What `begin` was given. */
  readonly upcoming: UpcomingPictures;
}

/**
 * Codes a picture as often as the rate controller asks for. `onAccepted` is called before the thread may be given
 * another picture, with the picture's scale.
 */
export async function codeAtRate(
  thread: CodingThread,
  rate: PictureRate,
  { job, budget: firstBudget, upcoming }: RatedJob,
  onAccepted: (scale: number) => void,
): Promise<ScaledPicture> {
  let budget = firstBudget;
  let scale = 0;
  let attempts = 0;
  let codingMs = 0;
  let writingMs = 0;
  const withBudget = () => ({ ...job, quantizerScale: budget.scale, budget });
  const coded = await thread.code(withBudget(), ({ rows, data, ...times }) => {
    codingMs += times.codingMs;
    writingMs += times.writingMs;
    scale = meanRowScale(rows!);
    const bits = 8 * data.length;
    const better = rate.retry({ budget, bits, scale, attempts: attempts++ }, upcoming);
    if (better) {
      budget = better;
      return withBudget();
    }
    const isLast = upcoming.isEnd && upcoming.pictures.length === 1;
    rate.accept(job.plan.codedNumber, { budget, bits, scale, rows: rows!, isLast });
    onAccepted(scale);
    return undefined;
  });
  return { ...coded, bits: 8 * coded.data.length, scale, codingMs, writingMs };
}

/** The access unit as the decoder's buffer, if there is one, demands it: with vbv_delay and stuffing. */
export function delivered({ data, pictureHeader }: CodedPicture, delivery: Delivery | undefined): Uint8Array {
  if (!delivery) return data;
  setVbvDelay(data, pictureHeader, delivery.delayTicks);
  return followedByZeros(data, delivery.stuffingBytes);
}

/** The access unit with zero_byte stuffing before the next start code; ISO/IEC 11172-2 §2.4.2.1. */
function followedByZeros(data: Uint8Array, bytes: number): Uint8Array {
  if (bytes === 0) return data;
  const stuffed = new Uint8Array(data.length + bytes);
  stuffed.set(data);
  return stuffed;
}
