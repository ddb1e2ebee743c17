/**
 * The motion estimator contract. Every estimator, built in or third party, is an object of this shape made by an
 * {@link EstimatorFactory}; the coder, `mpegpu estimate` and `mpegpu compare` know nothing else about it.
 */

/** How a block and its match are compared: sum of absolute differences, or sum of squared errors. */
export type Metric = 'sad' | 'sse';

/** A luma plane as an estimator sees it. */
export interface LumaPicture {
  /** Names the pixels: two pictures with the same id hold the same pels, so uploads and pyramids may be kept by id. */
  readonly id: number;
  /** Width in pels, a multiple of 16. */
  readonly width: number;
  /** Height in pels, a multiple of 16. */
  readonly height: number;
  /**
   * `width * height` pels, row by row without padding; may lie on a SharedArrayBuffer. Never written by an estimator, and
   * valid until the estimate that it was given for is answered: what is kept by id is a copy.
   */
  readonly pels: Uint8Array;
}

/** Search range in full pels per axis, both ends included (`x: 15` is -15..15), or every place inside the picture. */
export type SearchRange = { readonly x: number; readonly y: number } | 'picture';

/** What only the multiresolution multi-predictor search takes; see mrmp-settings.ts for the defaults. */
export interface MrmpParameters {
  /** Number of resolutions, the full one included: 1..4, and small enough that blocks stay at least 2 pels wide. */
  readonly levels?: number;
  /** Vectors kept from one level to the next, 1..8. */
  readonly predictors?: number;
  /** Reach in pels of the search around each doubled vector, 1..8. */
  readonly radius?: number;
  /** Range at the coarsest level in its own pels, where it is to be less than `range` makes it. */
  readonly coarseRange?: { readonly x: number; readonly y: number };
}

/** What an estimator is made for; fixed for its lifetime. */
export interface EstimatorParameters {
  /** Picture width in pels, a multiple of 16. */
  readonly width: number;
  /** Picture height in pels, a multiple of 16. */
  readonly height: number;
  readonly metric: Metric;
  /** Side of a block in pels; 8 is for motion studies. */
  readonly blockSize: 8 | 16;
  readonly range: SearchRange;
  /** K, the number of vectors returned per block, 1..8. */
  readonly candidatesPerBlock: number;
  /** Cost units per vector bit (see `vectorBits` in cost.ts); 0 minimises the metric alone. */
  readonly lambda: number;
  /** For `cpu-mrmp` and `gpu-mrmp`; others leave it alone. */
  readonly mrmp?: MrmpParameters;
}

/** One question: how did each block of `current` move, seen from `reference`? */
export interface EstimateRequest {
  readonly current: LumaPicture;
  readonly reference: LumaPicture;
}

/**
 * The answer: `blockColumns * blockRows * candidatesPerBlock` entries, blocks in raster order, the candidates of a block
 * together, best first and all different. A vector points from the block in `current` to its match in `reference`, in
 * full pels, + is right / down. Every vector keeps its block inside the reference picture.
 *
 * `cost` is metric + lambda * bits. Order: smaller cost first; among equals the smaller |dx| + |dy|, then the smaller
 * dy, then the smaller dx. Where fewer than K vectors were tried, the last one found fills the rest.
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

/** What may be expected of an estimator; the shared test suite takes its exceptions from here alone. */
export interface EstimatorTraits {
  readonly name: string;
  readonly runsOn: 'js' | 'wasm' | 'gpu';
  /** True: the field equals that of `cpu-full`, element for element. */
  readonly exhaustive: boolean;
}

/** What an estimator has done so far. */
export interface EstimatorStatistics {
  /** Time with at least one search under way, in milliseconds; summed over threads. */
  readonly busyMs: number;
  /** Fields answered. */
  readonly pictures: number;
}

/** A running estimator. Several `estimate` calls may be in flight; answers may come in any order. */
export interface MotionEstimator {
  readonly traits: EstimatorTraits;
  /** What it runs on, for people: "AMD EPYC, WASM SIMD", "NVIDIA H200 (Vulkan)". */
  readonly device: string;
  estimate(request: EstimateRequest): Promise<MotionField>;
  /** Optional: what it has done so far. */
  statistics?(): EstimatorStatistics;
  /** Frees what it holds; calls still in flight are rejected or completed, never left hanging. Idempotent. */
  close(): Promise<void>;
}

/** Makes an estimator; rejects with `UnsupportedError` and the reason when this machine cannot run it. */
export type EstimatorFactory = (parameters: EstimatorParameters) => Promise<MotionEstimator>;
