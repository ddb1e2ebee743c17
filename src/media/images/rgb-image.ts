// A decoded image in memory.

/** `3 * width * height` bytes R, G, B, row by row without padding; sRGB. */
export interface RgbImage {
  /** In pels. */
  readonly width: number;
  readonly height: number;
  readonly pels: Uint8Array;
}
