// The contract of what finds the places of a picture where a pattern occurs.
import type { Pattern } from './pattern.js';
import type { Components, PelImage } from './pel-image.js';

/** What is looked for. */
export interface FinderSetup {
  readonly pattern: Pattern;
  /** The largest error of a place. */
  readonly tolerance: number;
}

/** All places within the tolerance, in any order. A position is y * width + x, with the width of the picture. */
export interface FoundPlaces {
  readonly positions: Uint32Array;
  /** The sum of absolute differences of each, over all samples of the pattern. */
  readonly sums: Uint32Array;
}

/** Finds places; all finders find the same ones, with the same sums. */
export interface PlaceFinder {
  /** For people: `NVIDIA H200 (WebGPU)`, `CPU, WebAssembly SIMD`. */
  readonly device: string;
  /** Searches a picture that is as large as the pattern or larger, by 1 or 3 components. One call at a time. */
  find(picture: PelImage, components: Components): Promise<FoundPlaces>;
  close(): Promise<void>;
}
