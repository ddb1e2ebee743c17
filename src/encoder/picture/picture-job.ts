// What coding one picture starts from.

import type { Picture } from '../../picture/picture.js';
import type { PlannedPicture } from '../gop/gop-plan.js';
import type { ByDirection, VectorProposals } from '../motion/vector-proposals.js';
import type { PictureBudget } from '../rate-control/picture-budget.js';

/** A picture to code. */
export interface PictureJob {
  readonly picture: Picture;
  readonly plan: PlannedPicture;
  /** The mean quantizer_scale wanted of the macroblocks, 1..31; need not be whole. */
  readonly quantizerScale: number;
  /** Multipliers of the scale of the picture or, with a budget, of the row: one a macroblock; undefined: all 1. */
  readonly scaleFactors?: Float64Array | undefined;
  /** Multipliers of the scale that lambda is computed from, beside scaleFactors: one a macroblock; undefined: all 1. */
  readonly lambdaFactors?: Float64Array | undefined;
  /** Whether the mode decision may give a macroblock another scale than the wanted one. */
  readonly mayChangeScales?: boolean | undefined;
  /** Chooses the scale of each row, so that the picture keeps to a bit rate. */
  readonly budget?: PictureBudget;
  /** Vectors proposed from the past anchor (P, B) and from the future one (B). */
  readonly proposals: ByDirection<VectorProposals>;
}
