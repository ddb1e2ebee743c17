import type { PictureSymbols } from '../../bitstream/picture-symbols.js';
import type { PlannedPicture } from '../gop/gop-plan.js';
import type { PictureCoder } from '../picture/picture-coder.js';
import type { PictureJob } from '../picture/picture-job.js';
import type { StreamWriter } from '../picture/stream-writer.js';
import type { RateController } from './rate-controller.js';

/** A picture as it goes into the stream. */
export interface CodedPicture {
  /** Valid until the next picture is coded. */
  readonly symbols: PictureSymbols;
  readonly data: Uint8Array;
  /** Bits of `data` without stuffing. */
  readonly bits: number;
  /** quantizer_scale of the whole picture, before the factors of single macroblocks; need not be whole. */
  readonly scale: number;
  /** What of the time went into writing the bits. */
  readonly writingMs: number;
}

/** Codes a picture within its budget, as often as that takes; stuffing follows where the buffer asks for it. */
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
    const next = rate.retry(budget, bits, scale, attempts);
    if (!next) {
      const stuffing = rate.accept(budget, bits, scale, isEnd && upcoming.length === 1);
      return { symbols, data: followedByZeros(data, stuffing), bits, scale, writingMs };
    }
    coder.discard();
    budget = next;
  }
}

/** zero_byte before the next start code; ISO/IEC 11172-2 §2.4.2.1. */
function followedByZeros(data: Uint8Array, bytes: number): Uint8Array {
  if (bytes === 0) return data;
  const stuffed = new Uint8Array(data.length + bytes);
  stuffed.set(data);
  return stuffed;
}
