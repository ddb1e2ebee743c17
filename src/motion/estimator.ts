// The motion estimator contract: what an estimator is made with, what it is asked, and what it answers.
import type { GpuBufferType } from '../platform-types.js';

/** The names of {@link Metric}. */
export const METRIC_NAMES = ['sad', 'sse'] as const;

/** How a block is compared with its match: sum of absolute differences (`sad`) or sum of squared errors (`sse`). */
export type Metric = (typeof METRIC_NAMES)[number];

/** The luma plane of a picture. */
export interface LumaPicture {
  /** Names the pels: pictures with the same id hold the same pels. An estimator may keep what it has prepared by id. */
  readonly id: number;
  /** Width in pels, a multiple of 16. */
  readonly width: number;
  /** Height in pels, a multiple of 16. */
  readonly height: number;
  /**
   * `width * height` pels, row by row without padding. May lie on a SharedArrayBuffer. An estimator never writes them,
   * and does not read them after it has answered; what it keeps is a copy.
   */
  readonly pels: Uint8Array;
  /** The same pels in a buffer on the caller's GPU, with the usage COPY_SRC; an estimator may ignore it. */
  readonly gpuBuffer?: GpuBufferType | undefined;
}

/**
 * Search range in full pels per axis, 0..4095, both ends included: `x: 15` is -15..15. 'picture' is the whole picture.
 */
export type SearchRange = { readonly x: number; readonly y: number } | 'picture';

/** Parameters of the multiresolution multi-predictor search alone; mrmp-settings.ts has the defaults. */
export interface MrmpParameters {
  /** Number of resolutions, the full one included: 1..4. A block has at least 2x2 pels at the coarsest. */
  readonly levels?: number | undefined;
  /** Vectors kept per block from one level to the next finer one, 1..64; default: K, at least 4. */
  readonly predictors?: number | undefined;
  /** Reach of the search around each doubled vector in pels, 1..8. */
  readonly radius?: number | undefined;
  /** Range at the coarsest level in its own pels, 0..4095; it never widens the range that `range` gives there. */
  readonly coarseRange?: { readonly x: number; readonly y: number };
}

/** What an estimator is made with; fixed for its lifetime. */
export interface EstimatorParameters {
  /** Picture width in pels, a multiple of 16, 16..4096. */
  readonly width: number;
  /** Picture height in pels, a multiple of 16, 16..4096. */
  readonly height: number;
  readonly metric: Metric;
  /** Side of a block in pels. The encoder uses 16; 8 is for motion studies. */
  readonly blockSize: 8 | 16;
  readonly range: SearchRange;
  /** K, the number of vectors returned per block, 1..64. */
  readonly candidatesPerBlock: number;
  /**
   * Cost of a vector bit, in units of the metric, up to 1000000; 0 minimizes the metric alone. `componentBits` in
   * cost.ts counts the bits.
   */
  readonly lambda: number;
  /** Read by `cpu-mrmp` and `gpu-mrmp` alone. */
  readonly mrmp?: MrmpParameters | undefined;
}

/**
 * Where the motion probably is: one vector a block in raster order, in full pels, positive to the right and down. A
 * vector may exceed the range or lead out of the picture; then it is not tried. The arrays are valid until the call is
 * answered, and are never written.
 */
export interface StartField {
  readonly dx: Int16Array;
  readonly dy: Int16Array;
}

/** One question: where does each block of `current` lie in `reference`? */
export interface EstimateRequest {
  readonly current: LumaPicture;
  readonly reference: LumaPicture;
  /** A hint, which an estimator may start from or ignore. Where it is ignored, the field does not depend on it. */
  readonly start?: StartField;
}

/**
 * The answer: `blockColumns * blockRows * candidatesPerBlock` entries. Blocks are in raster order; the entries of a
 * block are neighbours, best first.
 *
 * A vector (`dx`, `dy`) points from the block in `current` to its match in `reference`, in full pels; positive is right
 * and down. The match lies inside the reference picture.
 *
 * `cost` is metric + lambda * bits. The smaller cost comes first; at equal cost the smaller |dx| + |dy|, then the
 * smaller dy, then the smaller dx. The vectors of a block differ; but where fewer than K were tried, the last one is
 * repeated.
 */
export interface MotionField {
  readonly blockSize: 8 | 16;
  readonly blockColumns: number;
  readonly blockRows: number;
  readonly candidatesPerBlock: number;
  readonly dx: Int16Array;
  readonly dy: Int16Array;
  readonly cost: Uint32Array;
}

/** What an estimator promises beyond the contract. The shared test suite makes exceptions for these traits alone. */
export interface EstimatorTraits {
  readonly name: string;
  readonly runsOn: 'js' | 'wasm' | 'gpu';
  /** True: the field equals that of `cpu-full`, element for element. */
  readonly exhaustive: boolean;
  /** True: reads the `start` of a request, so that a search is asked for once its start is known. */
  readonly usesStart?: boolean;
}

/** The work of an estimator so far. */
export interface EstimatorStatistics {
  /** Time with at least one search under way, in milliseconds, summed over threads. */
  readonly busyMs: number;
  /** Fields answered. */
  readonly pictures: number;
}

/** A running estimator. Several `estimate` calls may be in flight; their answers may come in any order. */
export interface MotionEstimator {
  readonly traits: EstimatorTraits;
  /** The device that it runs on, for people: "CPU, WebAssembly SIMD", "NVIDIA H200 (WebGPU)". */
  readonly device: string;
  estimate(request: EstimateRequest): Promise<MotionField>;
  /** Optional: its work so far. */
  statistics?(): EstimatorStatistics;
  /** Frees what it holds. Every call in flight is answered or rejected. May be called again. */
  close(): Promise<void>;
}

/** Makes an estimator. Rejects with `UnsupportedError` and the reason where this machine cannot run it. */
export type EstimatorFactory = (parameters: EstimatorParameters) => Promise<MotionEstimator>;
