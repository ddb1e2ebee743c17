/** Bounds that the syntax of ISO/IEC 11172-2 sets. */

/** Largest display width in pels: horizontal_size has 12 bits; ISO/IEC 11172-2 §2.4.2.3. */
export const MAX_WIDTH = 4095;
/** Largest display height in pels: slice start codes reach 175 rows of macroblocks; ISO/IEC 11172-2 §2.4.2.6. */
export const MAX_HEIGHT = 2800;
/** The largest quantizer_scale, which is the coarsest; the smallest is 1; ISO/IEC 11172-2 §2.4.3.6. */
export const MAX_QUANTIZER_SCALE = 31;
/** Most slices of a picture: one for each row of macroblocks; ISO/IEC 11172-2 §2.4.2.6. */
export const MAX_SLICES = 175;
