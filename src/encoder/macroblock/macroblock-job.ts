// What the mode decision of one macroblock starts from.

import type { SlicePredictors } from '../../bitstream/slice-predictors.js';

/** Where a macroblock lies: its column and row in the macroblock grid. */
export interface MacroblockPosition {
  readonly mbX: number;
  readonly mbY: number;
}

/** A macroblock to code. */
export interface MacroblockJob {
  readonly at: MacroblockPosition;
  readonly predictors: SlicePredictors;
  /** quantizer_scale, unless the mode decision may choose another and does. */
  readonly quantizerScale: number;
  /** 64 times lambda for squared error: the unit of a trial's distortion is 1/64 of a squared pel. */
  readonly lambda64: number;
  /** False for the first and the last macroblock of a slice, which must not be skipped; ISO/IEC 11172-2 §2.4.4.4. */
  readonly maySkip: boolean;
  /** True: the macroblock is due for its refresh. */
  readonly mustBeIntra: boolean;
  /** True: another quantizer_scale may be chosen. */
  readonly mayChangeScale: boolean;
}
