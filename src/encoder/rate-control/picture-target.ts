// What a picture is to take, and what it may: from its wanted scale and the bits that there are.
import { MAX_QUANTIZER_SCALE } from '../../bitstream/limits.js';
import type { PictureLimits } from './buffer/buffer-limits.js';
import { type ExpectedPicture, scaleFor } from './forecast/rate-forecast.js';
import { type BudgetSettings, LOOSE_CORRECTION, TIGHT_CORRECTION } from './picture-budget.js';
import { MAX_TARGET_PART } from './repeated-picture.js';

// None of the following is measured by itself; docs/benchmarks.md has the accuracy of rates that they give together.
/** A picture's scale is made coarser by at most this factor where the others may need more than expected. */
const MAX_CAUTION = 1.1;
/** MAX_CAUTION where no picture of the type is known. */
const MAX_FIRST_CAUTION = 1.3;
/**
 * How much of what the buffer holds beyond its target a picture may take. The rest is for those that begin before it is
 * known what the picture takes.
 */
const EXCESS_PART = 1 / 2;
/** With a target above this part of its limit, a picture keeps tightly to it. */
const TIGHT_TARGET_PART = 0.7;

/** What a target follows from. */
interface TargetJob extends Pick<ExpectedPicture, 'bitsAt'> {
  /** The picture scale that the base scale means: 1..31, need not be whole. */
  readonly steadyScale: number;
  /** Whether the bits of pictures of its type are known. */
  readonly isKnown: boolean;
  /** Bits that the other pictures leave, at their coarsest scale and if they need more than expected. */
  readonly freeBits: number;
  /** Bits that the picture must take, so that the decoder's buffer does not overflow. */
  readonly minBits: number;
  readonly limits: PictureLimits;
}

/** The part of a budget that a target gives. */
type PictureTarget = Pick<BudgetSettings, 'scale' | 'targetBits' | 'maxBits' | 'correction'>;

/** The bits that a picture is to take and may take, and the scale at which it is expected to take the former. */
export function pictureTarget({ bitsAt, steadyScale, isKnown, freeBits, minBits, limits }: TargetJob): PictureTarget {
  // However coarse the others are, they must not exceed what this picture leaves.
  const coarserScale = Math.min(MAX_QUANTIZER_SCALE, steadyScale * (isKnown ? MAX_CAUTION : MAX_FIRST_CAUTION));
  const steadyBits = Math.min(bitsAt(steadyScale), Math.max(bitsAt(coarserScale), freeBits));
  const wantedBits = Math.max(steadyBits, minBits);
  const targetBits = Math.min(wantedBits, MAX_TARGET_PART * limits.maxBits);
  const maxBits = Math.max(limits.sparseBits, targetBits + EXCESS_PART * (limits.maxBits - targetBits));
  const isNearLimit = targetBits < wantedBits || wantedBits > TIGHT_TARGET_PART * maxBits;
  return {
    scale: targetBits === bitsAt(steadyScale) ? steadyScale : scaleFor(bitsAt, targetBits),
    targetBits,
    maxBits,
    correction: isNearLimit ? TIGHT_CORRECTION : LOOSE_CORRECTION,
  };
}
