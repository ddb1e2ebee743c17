import type { PictureType } from '../../bitstream/macroblock-codes.js';
import { InputError } from '../../errors.js';
import type { PlannedPicture } from '../gop-plan.js';
import type { PassStatistics } from './pass-statistics.js';
import { complexityOf, type TypeComplexity } from './picture-complexity.js';

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
const LEAST_SHARING = 8;
/** In longer groups the debt of the I picture is paid back over so many pictures. */
const LONGEST_PAYBACK = 100;
/** Pictures of a first pass that are looked at one by one. */
const MOST_LISTED = 64;

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
  const groupEnd = upcoming.findLastIndex(({ startsGroup }, index) => startsGroup && index >= LEAST_SHARING);
  const isAligned = isEnd || groupEnd > 0;
  const count = isEnd || groupEnd < 0 ? upcoming.length : groupEnd;
  const pictures = upcoming.map(({ type }) => ({ type, complexity: complexity.of(type) }));
  const debtShare = isAligned ? 1 : Math.min(1, count / Math.min(gop, LONGEST_PAYBACK));
  return { pictures, count, complexities: sums(pictures.slice(0, count)), debtShare, isWhole: isEnd };
}

/** The forecast of a second pass: all pictures that are left, as the first pass found them. Throws InputError where they differ. */
export function forecastFirstPass(
  firstPass: PassStatistics,
  next: PlannedPicture,
  correction: ReadonlyMap<PictureType, number>,
): Forecast {
  const found = firstPass[next.codedNumber];
  if (found?.type !== next.type) {
    const then = found ? `a ${found.type} picture` : 'not there';
    throw new InputError(
      `picture ${next.codedNumber} was ${then} in the first pass and is a ${next.type} picture now: both need the same frames and options`,
    );
  }
  const left = firstPass.slice(next.codedNumber).map(({ type, bits, quantizerScale }) => ({
    type,
    complexity: complexityOf(bits, quantizerScale) * (correction.get(type) ?? 1),
  }));
  const pictures = left.slice(0, MOST_LISTED);
  return { pictures, count: left.length, complexities: sums(left), debtShare: 1, isWhole: left.length <= MOST_LISTED };
}

function sums(pictures: readonly ExpectedPicture[]): ReadonlyMap<PictureType, number> {
  const complexities = new Map<PictureType, number>();
  for (const { type, complexity } of pictures) complexities.set(type, (complexities.get(type) ?? 0) + complexity);
  return complexities;
}
