// Whether a stream may set constrained_parameters_flag; ISO/IEC 11172-2 §2.4.3.2.
import type { FrameRate } from '../../bitstream/tables/frame-rate.js';
import type { SearchRange } from '../../motion/estimator.js';
import type { MacroblockGrid } from '../../picture/picture.js';
import { BIT_RATE_UNIT, type RateSettings } from './rate-settings.js';

/** The limits; ISO/IEC 11172-2 §2.4.3.2. */
const MAX_WIDTH = 768;
const MAX_HEIGHT = 576;
const MAX_MACROBLOCKS = 396;
const MAX_MACROBLOCKS_PER_SECOND = 396 * 25;
const MAX_PICTURE_RATE = 30;
const MAX_VBV_UNITS = 20;
const MAX_BIT_RATE = 1_856_000;
/**
 * The longest search range in full pels: vectors are refined by up to 1.5 pels and must stay below 64, for an f_code of
 * at most 4.
 */
export const CONSTRAINED_RANGE_PELS = 62;

/** What the flag depends on. */
export interface StreamParameters {
  readonly grid: MacroblockGrid;
  readonly frameRate: FrameRate;
  readonly range: SearchRange;
  readonly rate: RateSettings | undefined;
}

/** Whether a stream with these parameters keeps to all the limits. */
export function keepsConstrainedParameters({ grid, frameRate, range, rate }: StreamParameters): boolean {
  const macroblocks = grid.mbWidth * grid.mbHeight;
  const picturesPerSecond = frameRate.numerator / frameRate.denominator;
  return (
    rate?.buffer !== undefined &&
    rate.bitRateUnits * BIT_RATE_UNIT <= MAX_BIT_RATE &&
    rate.vbvBufferUnits <= MAX_VBV_UNITS &&
    grid.displayWidth <= MAX_WIDTH &&
    grid.displayHeight <= MAX_HEIGHT &&
    macroblocks <= MAX_MACROBLOCKS &&
    macroblocks * picturesPerSecond <= MAX_MACROBLOCKS_PER_SECOND &&
    picturesPerSecond <= MAX_PICTURE_RATE &&
    range !== 'picture' &&
    range.x <= CONSTRAINED_RANGE_PELS &&
    range.y <= CONSTRAINED_RANGE_PELS
  );
}
