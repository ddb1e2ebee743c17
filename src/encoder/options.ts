// The options of an encoder.

import type { FrameRate } from '../bitstream/tables/frame-rate.js';
import type { KernelSetName } from '../kernels/kernels.js';
import type { Metric, SearchRange } from '../motion/estimator.js';
import type { EstimatorChoice } from '../motion/registry.js';
import type { Frame } from '../picture/frame.js';
import type { AbortSignalType, UrlType } from '../platform-types.js';
import type { EncodeThreads } from '../threads/thread-messages.js';
import type { MotionReference } from './motion/motion-reference.js';
import type { TuneName } from './quantizer/adaptive-quantization.js';
import type { MatrixName } from './quantizer/quantizer-set.js';
import type { PassStatistics } from './rate-control/pass-statistics.js';
import type { PictureReport } from './report/picture-report.js';
import type { IntraRefreshName, LatencyName } from './settings/latency-name.js';
import type { PresetName } from './settings/presets.js';
import type { TargetName } from './settings/target-name.js';
import type { ToolSwitches } from './settings/tool-switches.js';

/** The options of an {@link Encoder}. Only the size and the frame rate have no default. */
export interface EncoderOptions {
  /** Display width in pels, 1..4095. */
  readonly width: number;
  /** Display height in pels, 1..2800. */
  readonly height: number;
  /** Frames per second: one of the eight rates of MPEG-1, as a number (29.97) or as a fraction (30000/1001). */
  readonly frameRate: number | FrameRate;
  /** Constant quantizer_scale, 1..31; 1 is the finest; default 4. Excludes `quality` and `bitrate`. */
  readonly q?: number | undefined;
  /** Constant quality, 0..100, fractions included; 100 is the finest. One step is 3.5 % of the quantizer_scale. */
  readonly quality?: number | undefined;
  /** Mean bit rate, 1000..104856800 bit/s. */
  readonly bitrate?: number | undefined;
  /** True: the decoder's buffer receives `bitrate` all the time, and zero bytes fill gaps. Default false. */
  readonly cbr?: boolean | undefined;
  /** Most bit/s into the decoder's buffer, `bitrate`..104856800; default with `vbvBytes`: 1.5 times `bitrate`. */
  readonly maxrate?: number | undefined;
  /**
   * Size of the decoder's buffer for `cbr` and `maxrate` in bytes, 2048..2095104, rounded down to a multiple of 2048;
   * default half a second, at least 40960.
   */
  readonly vbvBytes?: number | undefined;
  /**
   * The `passStatistics` of a first encode of the same frames with the same options, with `isFirstPass` or without;
   * improves how bits are spread.
   */
  readonly firstPass?: PassStatistics | undefined;
  /**
   * True: the first of two passes, made for its `passStatistics`. It plans as the second pass will, and codes with
   * quick tools. It need not keep to its rate, and does not warn of that. Needs `bitrate`; excludes `firstPass`.
   * Default false.
   */
  readonly isFirstPass?: boolean | undefined;
  /** Sets the options that a player needs: 'vcd' (Video CD) or 'jsmpeg'. */
  readonly target?: TargetName | undefined;
  /** Pictures from one I picture to the next, 1..1000000; default 12. */
  readonly gop?: number | undefined;
  /** Fewest pictures from one I picture to the next, 1..gop; default 1. An earlier scene gets a P picture. */
  readonly gopMin?: number | undefined;
  /** B pictures between two anchors, 0..7; default by preset. Fewer at the end of a group. */
  readonly bFrames?: number | undefined;
  /** True: B pictures before an I picture may also be predicted from the group before it; default by preset. */
  readonly openGop?: boolean | undefined;
  /** True: a scene begins with an I picture, and B pictures are used where they save bits; default by preset. */
  readonly adaptiveTypes?: boolean | undefined;
  /**
   * 'normal' or 'low'; default 'normal'. 'low' is for live pictures: the access unit of a frame is out before `add`
   * resolves. No picture waits for a later one: no lookahead, no B pictures, and bits are given without knowledge of
   * pictures to come. One thread does all. The stream ends without sequence_end_code.
   */
  readonly latency?: LatencyName | undefined;
  /**
   * 'none' or 'columns'; default 'none'. 'columns', with `latency` 'low': no I picture but the first and those that are
   * requested. In a group of `gop` pictures, columns of macroblocks are intra from left to right instead, so that
   * pictures are about equally large. A decoder that starts at the sequence header of a group has a clean picture when
   * the group has ended.
   */
  readonly intraRefresh?: IntraRefreshName | undefined;
  /**
   * Time code of the first picture, HH:MM:SS:FF; default '00:00:00:00'. HH:MM:SS;FF is drop frame, at 29.97 frames per
   * second only. FF counts frames.
   */
  readonly startTimeCode?: string | undefined;
  /** Speed against compression: 'fastest', 'fast', 'balanced', 'best' or 'smallest'; default 'balanced'. */
  readonly preset?: PresetName | undefined;
  /** Single coding tools that are set differently from the preset. */
  readonly tools?: ToolSwitches | undefined;
  /** Measure to optimize for: 'psnr' or 'ssim'; default 'psnr'. */
  readonly tune?: TuneName | undefined;
  /** Strength of adaptive quantization, 0..4; 0 is off; default 1 with tune 'ssim', else 0. */
  readonly aq?: number | undefined;
  /** Slices per picture, 1..175, or 'rows': one per macroblock row; default 1. More slices confine errors. */
  readonly slices?: number | 'rows' | undefined;
  /** Named intra matrix: 'flat' (default) or 'standard' (default with tune 'ssim'). Excludes `intraMatrix`. */
  readonly matrix?: MatrixName | undefined;
  /** Weights of intra blocks: 64 whole numbers 1..255 by rows; the first must be 8. */
  readonly intraMatrix?: ArrayLike<number> | undefined;
  /** Weights of predicted blocks: 64 whole numbers 1..255 by rows; default: the standard's default matrix. */
  readonly nonIntraMatrix?: ArrayLike<number> | undefined;
  /** Code of the pel aspect ratio, 1..14; ISO/IEC 11172-2 §2.4.3.2; default 1: square pels. */
  readonly pelAspectRatio?: number | undefined;
  /** Motion estimator: a registered name, the path of a module or a factory; default 'auto'. */
  readonly estimator?: EstimatorChoice | undefined;
  /** Search range in full pels to either side; default 128x64. */
  readonly range?: SearchRange | undefined;
  /** Cost by which the search compares blocks: 'sad' or 'sse'; default 'sad'. */
  readonly metric?: Metric | undefined;
  /** Vectors per macroblock that the estimator offers to the coder, 1..8; default by preset. */
  readonly candidates?: number | undefined;
  /**
   * The pictures in which motion is searched: 'source' or 'reconstructed'; default 'source'. In source pictures the
   * search can run ahead of the coder; else each search waits until its reference picture is coded.
   */
  readonly motionReference?: MotionReference | undefined;
  /**
   * Pictures that are coded side by side, 1..64. The bytes are the same for any number. Default: one for each core, but
   * of 8 cores or more seven eighths, or three quarters below 1280x720 in one pass with a GPU by name, or without a
   * lookahead; at most 16. In Node before 20.16 the default is 2, and where few frames are expected 1. With two or
   * more, the lookahead has a thread of its own, and a GPU or a module searches in another. With three or more, so do
   * CPU estimators. With an estimator that is a function, the calling thread plans and searches.
   *
   * In a page that is not isolated from other origins, memory cannot be shared: one picture is coded at a time, in the
   * calling thread, and the other threads get copies. The default is 2 there, with slow CPU estimators the cores, and 1
   * where a browser has no workers.
   */
  readonly threads?: number | undefined;
  /** `new KeptThreads()` of `mpegpu/node`: the threads of the encodes before this one. Default: threads of its own. */
  readonly keptThreads?: EncodeThreads | undefined;
  /**
   * How many frames will come, 0..1000000000, if that is known; more or fewer may come. Where they are less than a
   * second of work (100,000 macroblocks), threads would take longer to start than they save: 1 is the default. At a bit
   * rate, a clip of at most 64 frames and 45,000 macroblocks is planned as a whole.
   */
  readonly expectedFrames?: number | undefined;
  /** Kernels: 'simd' or 'reference'; default: the environment variable MPEGPU_KERNELS, else 'simd'. */
  readonly kernels?: KernelSetName | undefined;
  /**
   * Address of the script that a browser's workers run, `mpegpu/worker`; default: worker.js beside the bundle. For
   * pages whose content policy or bundler puts it elsewhere; it must have the page's origin. Ignored on Node.
   */
  readonly workerUrl?: string | UrlType | undefined;
  /** Address of the SIMD kernels, `mpegpu/kernels.wasm`; default: beside the bundle. Ignored on Node. */
  readonly kernelsUrl?: string | UrlType | undefined;
  /**
   * Pictures that may wait between `add` and the coder, 1..1024; default 2 + half the threads. At a bit rate, rate
   * control looks at pictures to come: fewer are raised to 9..37, by preset and `gop`, and to more for a short clip and
   * for searches ahead.
   */
  readonly maxPendingPictures?: number | undefined;
  /** Stops the encode: `add`, `finish` and the iteration reject with the signal's reason. */
  readonly signal?: AbortSignalType | undefined;
  /** Receives a message about each fault that the encode survives, such as a failed GPU that the CPU replaced. */
  readonly onWarning?: ((message: string) => void) | undefined;
  /** Called after each coded picture. The encode waits for the promise that it returns. */
  readonly onPicture?: ((report: PictureReport) => void | Promise<void>) | undefined;
  /** Called with each picture as a decoder shows it, in display order. The callee may keep the frame. */
  readonly onReconstruction?: ((frame: Frame, displayNumber: number) => void | Promise<void>) | undefined;
}
