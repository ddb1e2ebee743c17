// Whether a stream may set constrained_parameters_flag; ISO/IEC 11172-2 §2.4.3.2.
import { CONSTRAINED_PARAMETERS } from '../../bitstream/constrained-parameters.js';
import { BIT_RATE_UNIT_BITS_PER_SECOND } from '../../bitstream/syntax/sequence-header.js';
import type { FrameRate } from '../../bitstream/tables/frame-rate.js';
import type { SearchRange } from '../../motion/estimator.js';
import type { MacroblockGrid } from '../../picture/picture.js';
import type { RateSettings } from './rate-settings.js';

/**
 * The longest search range in full pels: 62. Vectors of maxFCode are below 64 pels, and refinement may add up to 1.5.
 */
const MAX_RANGE_PELS = (8 << (CONSTRAINED_PARAMETERS.maxFCode - 1)) - 2;

/** What the flag depends on. */
export interface StreamParameters {
  readonly grid: MacroblockGrid;
  readonly frameRate: FrameRate;
  readonly range: SearchRange;
  readonly rate: RateSettings | undefined;
}

/** Whether a stream with these parameters keeps to all the limits. */
export function keepsConstrainedParameters({ grid, frameRate, range, rate }: StreamParameters): boolean {
  const limits = CONSTRAINED_PARAMETERS;
  const macroblocks = grid.mbWidth * grid.mbHeight;
  const picturesPerSecond = frameRate.numerator / frameRate.denominator;
  return (
    rate?.buffer !== undefined &&
    rate.bitRateUnits * BIT_RATE_UNIT_BITS_PER_SECOND <= limits.maxBitsPerSecond &&
    rate.vbvBufferUnits <= limits.maxVbvBufferUnits &&
    grid.displayWidth <= limits.maxWidth &&
    grid.displayHeight <= limits.maxHeight &&
    macroblocks <= limits.maxMacroblocks &&
    macroblocks * picturesPerSecond <= limits.maxMacroblocksPerSecond &&
    picturesPerSecond <= limits.maxPicturesPerSecond &&
    range !== 'picture' &&
    range.x <= MAX_RANGE_PELS &&
    range.y <= MAX_RANGE_PELS
  );
}
