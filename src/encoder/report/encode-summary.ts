// What is told of a whole encode.
import type { FrameRate } from '../../bitstream/tables/frame-rate.js';
import type { EncoderStatistics, PsnrSummary } from './statistics.js';

/** What came of an encode, whatever it was made from. */
export interface EncodeSummary {
  readonly frames: number;
  /** In pels. */
  readonly width: number;
  readonly height: number;
  readonly frameRate: FrameRate;
  /** Bits of the video stream alone, and the same as bits per second. */
  readonly bits: number;
  readonly bitRate: number;
  /** In dB. */
  readonly psnr: PsnrSummary;
  /** What `onWarning` was told, each once. */
  readonly warnings: readonly string[];
  /** Estimator, device, threads, times of the stages. */
  readonly statistics: EncoderStatistics;
}
