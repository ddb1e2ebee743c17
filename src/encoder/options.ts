import type { FrameRate } from '../bitstream/tables/frame-rate.js';
import type { EstimatorFactory, Metric, SearchRange } from '../motion/estimator.js';
import type { Frame } from '../picture/frame.js';
import type { PassStatistics } from './rate-control/pass-statistics.js';
import type { PictureReport } from './report/picture-report.js';
import type { ToolSwitches } from './settings/tool-switches.js';

/** What an {@link Encoder} is made with. Only the size and the frame rate have no default. */
export interface EncoderOptions {
  /** Display width in pels, 1..4095. */
  readonly width: number;
  /** Display height in pels, 1..2800. */
  readonly height: number;
  /** Frames per second: one of MPEG-1's eight rates, as a number (29.97) or exactly (30000/1001). */
  readonly frameRate: number | FrameRate;
  /** Constant quantizer_scale, 1 (finest) .. 31; default 4. Not together with `bitrate`. */
  readonly q?: number;
  /** Constant quality, 0 .. 100 (finest), fractions included, instead of `q`: 3.5 % in the quantizer_scale a step. */
  readonly quality?: number;
  /** Bits per second in the mean, 1000 .. 104,856,800, instead of a constant quantizer_scale. */
  readonly bitrate?: number;
  /** True: `bitrate`, to the nearest 400 bit/s, holds at every moment for the decoder's buffer; stuffing fills gaps. */
  readonly cbr?: boolean;
  /** Bits per second that the decoder's buffer takes in at most, at least `bitrate`; default 1.5 times that where `vbvBytes` is given. */
  readonly maxrate?: number;
  /** The decoder's buffer in bytes, rounded down to 2048; default half a second, at least 40,960. For `cbr` and `maxrate`. */
  readonly vbvBytes?: number;
  /** The `passStatistics` of an encode of the same frames with the same options: bits then go where they are needed. */
  readonly firstPass?: PassStatistics;
  /** 'vcd' (Video CD) or 'jsmpeg': sets what such streams need. */
  readonly target?: string;
  /** Pictures from one I picture to the next, at least 1; default 12. */
  readonly gop?: number;
  /** Fewest pictures from one I picture to the next, 1..gop: a scene that begins nearer to the last gets a P picture; default 1. */
  readonly gopMin?: number;
  /** B pictures between two anchors, 0..7; default by preset. Fewer where a group ends. */
  readonly bFrames?: number;
  /** True: B pictures before an I picture may be predicted from the group before it, too; default by preset. */
  readonly openGop?: boolean;
  /** True: the picture types follow the scenes: I pictures where one begins, as many B pictures as pay; default by preset. */
  readonly adaptiveTypes?: boolean;
  /** Speed against compression: 'fast', 'balanced' (default) or 'best'. */
  readonly preset?: string;
  /** Single coding tools otherwise than the preset has them. */
  readonly tools?: ToolSwitches;
  /**
   * What the picture is to be good by: 'psnr' (default), or 'ssim', which quantizes busy macroblocks coarser and calm ones finer, at
   * the expense of PSNR.
   */
  readonly tune?: string;
  /** Strength of adaptive quantization by activity, 0 (off) .. 4; default 1 with tune 'ssim', else 0. */
  readonly aq?: number;
  /** Slices per picture, or 'rows' for one per macroblock row; default 1. More slices lose less to a transmission error. */
  readonly slices?: number | 'rows';
  /** Intra matrix by name: 'flat' (default), for PSNR, or 'standard' (default with tune 'ssim'), made for the eye. Not together with `intraMatrix`. */
  readonly matrix?: string;
  /** 64 weights 1..255 by row, as printed in the standard; default: its default matrices. The first intra weight must be 8. */
  readonly intraMatrix?: ArrayLike<number>;
  readonly nonIntraMatrix?: ArrayLike<number>;
  /** Pel aspect ratio code 1..14 of ISO/IEC 11172-2 §2.4.3.2; default 1, square pels. */
  readonly pelAspectRatio?: number;
  /** Motion estimator: a registered name, a module path or a factory; default 'auto'. */
  readonly estimator?: string | EstimatorFactory;
  /** Search range in full pels; default 64 x 32. */
  readonly range?: SearchRange;
  /** What the search compares by; default 'sad'. */
  readonly metric?: Metric;
  /** Candidates per macroblock asked of the estimator, 1..8; default by preset. */
  readonly candidates?: number;
  /**
   * Where motion is searched: on 'source' pictures (default; fields can be ready before they are needed) or on the
   * 'reconstructed' reference (each search waits for the picture before).
   */
  readonly motionReference?: 'source' | 'reconstructed';
  /** Threads, 1..64; from 2 on the estimator works in `threads - 1` worker threads, ahead of the coder. Default 2, in browsers 1. */
  readonly threads?: number;
  /** Kernel set: 'simd' or 'reference'; default by MPEGPU_KERNELS, else 'simd'. */
  readonly kernels?: string;
  /** Pictures that may wait between `add` and the coder, at least 1; default 2 + threads. */
  readonly maxPendingPictures?: number;
  /** Stops the encode: `add`, `finish` and the iteration reject with its reason. */
  readonly signal?: AbortSignal;
  /** Told of faults that the encode survives, such as a GPU that failed and was replaced by its CPU twin. */
  readonly onWarning?: (message: string) => void;
  /** Called after each coded picture; the encode waits for a promise it returns. */
  readonly onPicture?: (report: PictureReport) => void | Promise<void>;
  /** Called with each picture as a decoder shows it, in display order; the frame is the callee's to keep. */
  readonly onReconstruction?: (frame: Frame, displayNumber: number) => void | Promise<void>;
}
