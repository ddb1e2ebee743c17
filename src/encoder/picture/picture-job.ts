// What coding one picture starts from.

import type { Picture } from '../../picture/picture.js';
import type { PlannedPicture } from '../gop/gop-plan.js';
import type { FilterMotion } from '../motion/motion-around.js';
import type { ByDirection, VectorProposals } from '../motion/vector-proposals.js';
import type { MacroblockFactors } from '../quantizer/macroblock-factors.js';
import type { BudgetSettings } from '../rate-control/picture-budget.js';
import type { References } from './reference-pictures.js';

/** A picture near another one in time, and the motion of that one from it. */
export interface PictureAround extends FilterMotion {
  readonly picture: Picture;
}

/** A picture to code. */
export interface PictureJob extends MacroblockFactors {
  readonly picture: Picture;
  readonly plan: PlannedPicture;
  /** The anchors, and where the picture is reconstructed. */
  readonly references: References;
  /** The picture scale: the mean quantizer_scale of its macroblocks but for their factors, 1..31; need not be whole. */
  readonly quantizerScale: number;
  /** Chooses the scale of each row, so that the picture keeps to a bit rate. */
  readonly budget?: BudgetSettings | undefined;
  /** Vectors proposed from the past anchor (P, B) and from the future one (B). */
  readonly proposals: ByDirection<VectorProposals>;
  /** Pictures that it is filtered by before it is coded; none: it is coded as it is. */
  readonly around: readonly PictureAround[];
  /** What has become of its luma, if it is filtered already. */
  readonly filtered?: FilteredLuma | undefined;
}

/** Luma that was filtered for a picture scale. */
export interface FilteredLuma {
  /** Where it lies in the memory of the coders. */
  readonly y: number;
  readonly quantizerScale: number;
}
