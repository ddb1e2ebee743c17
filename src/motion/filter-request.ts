// What an estimator's GPU is asked that filters a picture along its motion.
import type { FilterNumbers } from '../kernels/contracts/picture-kernels.js';
import type { LumaPicture } from './estimator.js';

/** A picture that another one is filtered with, and the motion between the two. */
export interface FilterReference {
  readonly picture: LumaPicture;
  /** In pels, for each macroblock. May lie on a SharedArrayBuffer. */
  readonly dx: Int16Array;
  readonly dy: Int16Array;
  /** Whether the vectors lead from this picture to the filtered one. */
  readonly isReversed: boolean;
}

/** One picture to filter: see `filterLumaRow`. All arrays stay as they are until the answer. */
export interface FilterRequest {
  readonly current: LumaPicture;
  /** At most MAX_FILTER_REFERENCES. */
  readonly references: readonly FilterReference[];
  /** A strength for each reference, beside the ranges. */
  readonly numbers: FilterNumbers;
  /** Takes the filtered luma, as long as that of `current`. May lie on a SharedArrayBuffer. */
  readonly target: Uint8Array;
}

/** Filters pictures as `filterLumaRow` does, bit for bit. */
export interface PictureFilter {
  /**
   * Resolves when pictures can be filtered soon after they come, with whether they can be: on a software adapter, which
   * is slower than the kernel, only if that is allowed.
   */
  openFilter(allowSoftware: boolean): Promise<boolean>;
  /** Resolves with whether it is done. Where it is not, whoever asks filters, and `target` may hold anything. */
  filter(request: FilterRequest): Promise<boolean>;
}
