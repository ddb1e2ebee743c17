// The limits of a stream whose constrained_parameters_flag is set; ISO/IEC 11172-2 §2.4.3.2.

/** The largest values that a stream of constrained parameters may have. */
export const CONSTRAINED_PARAMETERS = {
  /** Display size in pels. */
  maxWidth: 768,
  maxHeight: 576,
  maxMacroblocks: 396,
  maxMacroblocksPerSecond: 396 * 25,
  maxPicturesPerSecond: 30,
  maxFCode: 4,
  /** vbv_buffer_size, in its unit. */
  maxVbvBufferUnits: 20,
  maxBitsPerSecond: 1_856_000,
} as const;
