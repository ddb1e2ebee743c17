// What the GPU that searches motion can do beside: filter a picture in time before it is coded.
import type { FilterNumbers } from '../kernels/contracts/picture-kernels.js';
import type { LumaPicture } from './estimator.js';

/** A picture that another one is filtered with. */
export interface FilterReference {
  readonly picture: LumaPicture;
  /** Vectors between the two pictures in pels, one for each macroblock. */
  readonly dx: Int16Array;
  readonly dy: Int16Array;
  /** Whether they lead from this picture to the one that is filtered. */
  readonly isReversed: boolean;
}

/** A picture to filter; see `PictureKernels.filterLuma`. */
export interface FilterRequest {
  readonly current: LumaPicture;
  /** As many as `numbers` has strengths. */
  readonly references: readonly FilterReference[];
  readonly numbers: FilterNumbers;
  /** Where the filtered luma goes, as long as the luma of `current`; may lie on a SharedArrayBuffer. */
  readonly target: Uint8Array;
}

/** Filters pictures as `filterLuma` does, bit for bit. */
export interface PictureFilter {
  /** Resolves with whether it is done. Where it is not, whoever asks filters, and `target` may hold anything. */
  filter(request: FilterRequest): Promise<boolean>;
}
