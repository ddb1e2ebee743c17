import type { PictureType } from '../../bitstream/picture-type.js';
import type { PlannedPicture } from '../gop/gop-plan.js';
import type { TypeComplexity } from './picture-complexity.js';

/** A picture to come and what it is expected to need. */
export interface ExpectedPicture {
  readonly type: PictureType;
  readonly complexity: number;
}

/** What is expected of the pictures to come, over which bits are shared out. */
export interface Forecast {
  /** The next pictures in coded order, the first is the next one. */
  readonly pictures: readonly ExpectedPicture[];
  /** The pictures that share: their number, and the sum of their complexities by type. */
  readonly count: number;
  readonly complexities: ReadonlyMap<PictureType, number>;
  /** The part of the debt that they are to pay back. */
  readonly debtShare: number;
  /** Whether they are all that are left. */
  readonly isWhole: boolean;
}

/** Fewer pictures than this up to the next group are too few to share with. */
const MIN_SHARING = 8;
/** In longer groups the debt of the I picture is paid back over so many pictures. */
const MAX_PAYBACK = 100;

/**
 * The forecast of one pass, from the types of the pictures in sight. Where groups end in sight, those up to the last such end share:
 * a group pays for its own I picture, and the scale stays even within it.
 */
export function forecastWindow(
  upcoming: readonly PlannedPicture[],
  isEnd: boolean,
  complexity: TypeComplexity,
  gop: number,
): Forecast {
  const groupEnd = upcoming.findLastIndex(({ startsGroup }, index) => startsGroup && index >= MIN_SHARING);
  const isAligned = isEnd || groupEnd > 0;
  const count = isEnd || groupEnd < 0 ? upcoming.length : groupEnd;
  const pictures = upcoming.map(({ type }) => ({ type, complexity: complexity.of(type) }));
  const debtShare = isAligned ? 1 : Math.min(1, count / Math.min(gop, MAX_PAYBACK));
  return { pictures, count, complexities: sums(pictures.slice(0, count)), debtShare, isWhole: isEnd };
}

function sums(pictures: readonly ExpectedPicture[]): ReadonlyMap<PictureType, number> {
  const complexities = new Map<PictureType, number>();
  for (const { type, complexity } of pictures) complexities.set(type, (complexities.get(type) ?? 0) + complexity);
  return complexities;
}
