// What the rate controller expects of the pictures to come.
import { MAX_QUANTIZER_SCALE } from '../../bitstream/limits.js';
import type { PictureType } from '../../bitstream/picture-type.js';
import type { PlannedPicture } from '../gop/gop-plan.js';
import { MIN_BASE_SCALE, meanPictureScale } from '../quantizer/picture-scale.js';
import { bitsAt, type TypeComplexity } from './picture-complexity.js';

/** A picture to come and its expected complexity. */
export interface ExpectedPicture {
  readonly type: PictureType;
  readonly complexity: number;
}

export interface Forecast {
  /** The next pictures in coded order, one by one; the first is the one to be coded now. */
  readonly pictures: readonly ExpectedPicture[];
  /** How many pictures, from that one on, share their bits: they have one base scale. */
  readonly sharingPictures: number;
  /** The complexities of the sharing pictures, summed by type. */
  readonly sharedComplexity: ReadonlyMap<PictureType, number>;
  /** The part of the debt that the sharing pictures pay back. */
  readonly debtShare: number;
  /** Whether `pictures` are all that are left. */
  readonly reachesEnd: boolean;
}

/** Fewer pictures than this up to the next group do not share bits by themselves; not measured. */
const MIN_SHARING_PICTURES = 8;
/** In longer groups, the debt that an I picture makes is paid back over so many pictures; not measured. */
const MAX_PAYBACK_PICTURES = 100;

/**
 * The forecast without a first pass, from the types of the upcoming pictures. Where groups end among them, the pictures
 * up to the last such end share their bits: a group pays for its own I picture, and the scale stays even within it.
 * `isEnd`: no pictures follow.
 */
export function forecastUpcoming(
  upcoming: readonly PlannedPicture[],
  isEnd: boolean,
  complexity: TypeComplexity,
  gop: number,
): Forecast {
  const groupEnd = upcoming.findLastIndex(({ startsGroup }, index) => startsGroup && index >= MIN_SHARING_PICTURES);
  const sharingPictures = isEnd || groupEnd < 0 ? upcoming.length : groupEnd;
  const pictures = upcoming.map(({ type }) => ({ type, complexity: complexity.of(type) }));
  const sharedComplexity = new Map<PictureType, number>();
  for (const { type, complexity } of pictures.slice(0, sharingPictures)) {
    sharedComplexity.set(type, (sharedComplexity.get(type) ?? 0) + complexity);
  }
  const isWholeGroups = isEnd || groupEnd > 0;
  const debtShare = isWholeGroups ? 1 : Math.min(1, sharingPictures / Math.min(gop, MAX_PAYBACK_PICTURES));
  return { pictures, sharingPictures, sharedComplexity, debtShare, reachesEnd: isEnd };
}

/** The base scale at which pictures of these complexities, summed by type, take so many bits. */
export function baseScaleForBits(complexities: ReadonlyMap<PictureType, number>, bits: number): number {
  let [fine, coarse] = [MIN_BASE_SCALE, MAX_QUANTIZER_SCALE];
  // 24 bisections leave less than 1e-6 of the scale.
  for (let step = 0; step < 24; step++) {
    const middle = Math.sqrt(fine * coarse);
    let needed = 0;
    for (const [type, complexity] of complexities) needed += bitsAt(complexity, meanPictureScale(type, middle));
    if (needed > bits) fine = middle;
    else coarse = middle;
  }
  return coarse;
}
