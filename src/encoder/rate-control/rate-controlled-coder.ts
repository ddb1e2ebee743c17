// Codes a picture at a bit rate, again and again until it fits its budget.
import type { PictureSymbols } from '../../bitstream/picture-symbols.js';
import type { PlannedPicture } from '../gop/gop-plan.js';
import type { PictureCoder } from '../picture/picture-coder.js';
import type { PictureJob } from '../picture/picture-job.js';
import type { StreamWriter } from '../picture/stream-writer.js';
import type { RateController } from './rate-controller.js';

/** A coded picture and its access unit. */
export interface CodedPicture {
  /** Valid until the next picture is coded. */
  readonly symbols: PictureSymbols;
  readonly data: Uint8Array;
  /** Bits of `data` without stuffing. */
  readonly bits: number;
  /** Its picture scale, before the scale factors of macroblocks; need not be whole. */
  readonly scale: number;
  /** Time spent writing the bits. */
  readonly writingMs: number;
}

/**
 * Codes a picture, the first of `upcoming`, as often as the rate controller asks for. Stuffing is added where the
 * buffer needs it. `isEnd`: no pictures follow `upcoming`.
 */
export function codeAtRate(
  { coder, writer, rate }: { coder: PictureCoder; writer: StreamWriter; rate: RateController },
  job: Omit<PictureJob, 'quantizerScale'>,
  upcoming: readonly PlannedPicture[],
  isEnd: boolean,
): CodedPicture {
  let budget = rate.begin(upcoming, isEnd);
  let writingMs = 0;
  for (let attempts = 0; ; attempts++) {
    const symbols = coder.code({ ...job, quantizerScale: budget.settings.scale, budget });
    const coded = performance.now();
    const data = writer.accessUnit(job.plan, symbols, headerBits => rate.delayTicks(headerBits));
    writingMs += performance.now() - coded;
    const scale = budget.meanRowScale;
    const bits = data.length * 8;
    const isNewScene = attempts === 0 && rate.beginsNewScene(budget, bits, scale);
    const next = isNewScene ? rate.begin(upcoming, isEnd) : rate.retry(budget, bits, scale, attempts);
    if (!next) {
      const stuffing = rate.accept(budget, bits, scale, isEnd && upcoming.length === 1);
      return { symbols, data: followedByZeros(data, stuffing), bits, scale, writingMs };
    }
    coder.discard();
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
