// The contract of a stereo matcher: what it is asked, and what it answers.

/** A gray picture. */
export interface GrayPicture {
  /** In pels. */
  readonly width: number;
  readonly height: number;
  /** `width * height` pels 0..255, row by row without padding. */
  readonly pels: Uint8Array;
}

/** The disparities of the left picture of a rectified pair. */
export interface DisparityMap {
  /** In pels. */
  readonly width: number;
  readonly height: number;
  /**
   * In sixteenths of a pel, row by row: a pel at (x, y) of the left picture is at (x - d / 16, y) in the right one. -1
   * where it is unknown, which no pel is if what the right picture does not show is filled.
   */
  readonly sixteenths: Int16Array;
  /** 1 where the disparity was seen in both pictures, 0 where it was filled or is unknown. */
  readonly matched: Uint8Array;
}

/** The stages that are timed, in their order. */
export const STEREO_STAGES = ['features', 'costs', 'paths', 'selection', 'filling'] as const;

/** Milliseconds of each stage. */
export type StageMs = Readonly<Record<(typeof STEREO_STAGES)[number], number>>;

/** Finds the disparities of pairs of one size. */
export interface StereoMatcher {
  readonly name: 'cpu-sgm' | 'gpu-sgm';
  /** For people: `CPU, WebAssembly SIMD`, the name of a GPU. */
  readonly device: string;
  /** The disparities of a pair. One call at a time. Rejects with InputError if a picture has another size. */
  match(left: GrayPicture, right: GrayPicture): Promise<DisparityMap>;
  /** Times of the last pair; on a GPU, of the GPU itself. Undefined where they cannot be taken. */
  stageMs(): StageMs | undefined;
  close(): Promise<void>;
}

/** What a matcher's factory is given beside the size and the settings. */
export interface MatcherContext {
  /** Kernel set of the CPU matcher, see select-kernels.ts. */
  readonly kernels?: 'simd' | 'reference' | undefined;
  /** Whether a GPU matcher may run on a software adapter; true by default. */
  readonly allowSoftware?: boolean | undefined;
}
