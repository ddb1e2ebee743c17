// What the rate controller expects of the pictures to come.
import { MAX_QUANTIZER_SCALE } from '../../../bitstream/limits.js';
import type { PictureType } from '../../../bitstream/picture-type.js';
import { MIN_BASE_SCALE, meanPictureScale } from '../../quantizer/picture-scale.js';
import type { BitModel, UpcomingPictures } from './bit-model.js';
import { bitsAt } from './picture-complexity.js';

/** A picture to come. */
export interface ExpectedPicture {
  readonly type: PictureType;
  /** Its bits at a picture scale; they fall as the scale rises. */
  readonly bitsAt: (scale: number) => number;
}

export interface Forecast {
  /** The next pictures in coded order, one by one; the first is the one to be coded now. */
  readonly pictures: readonly ExpectedPicture[];
  /** How many pictures, from that one on, share their bits: they have one base scale. */
  readonly sharingPictures: number;
  /** The bits of all sharing pictures at a base scale. */
  readonly sharedBits: (baseScale: number) => number;
  /** The bits of the sharing pictures after the next one at the coarsest scale, at the most. */
  readonly leastOtherBits: number;
  /** The part of the debt that the sharing pictures pay back. */
  readonly debtShare: number;
  /** Whether `pictures` are all that are left. */
  readonly reachesEnd: boolean;
}

/**
 * How many times as many bits as expected pictures may need, of a type that has been coded, or has not; not measured.
 */
const KNOWN_RISK = 1.05;
const UNKNOWN_RISK = 1.5;
/** Fewer pictures than this up to the next group do not share bits by themselves; not measured. */
const MIN_SHARING_PICTURES = 8;
/** A debt is paid back over so many pictures, or over all that are left; see docs/decisions/bit-rate.md. */
const PAYBACK_PICTURES = 36;
/** In longer groups, the debt that an I picture makes is paid back over so many pictures; not measured. */
const MAX_PAYBACK_PICTURES = 100;

/**
 * The forecast without a first pass. Where groups end among the upcoming pictures, those up to the last such end share
 * their bits: a group pays for its own I picture, and the scale stays even within it.
 */
export function forecastUpcoming(
  { pictures: upcoming, isEnd }: UpcomingPictures,
  model: BitModel,
  gop: number,
): Forecast {
  const groupEnd = upcoming.findLastIndex(({ startsGroup }, index) => startsGroup && index >= MIN_SHARING_PICTURES);
  const sharingPictures = isEnd || groupEnd < 0 ? upcoming.length : groupEnd;
  const pictures = upcoming.map(picture => ({ type: picture.type, bitsAt: model.bitsOf(picture) }));
  const sharing = pictures.slice(0, sharingPictures);
  const bitsOfAll = model.bitsOfAll(upcoming.slice(0, sharingPictures));
  const sharedBits = (baseScale: number) => bitsOfAll(type => meanPictureScale(type, baseScale));
  const leastOtherBits = sharing.slice(1).reduce((sum, { type, bitsAt }) => {
    const risk = model.hasLearned(type) ? KNOWN_RISK : UNKNOWN_RISK;
    return sum + risk * bitsAt(MAX_QUANTIZER_SCALE);
  }, 0);
  const isWholeGroups = groupEnd > 0;
  const payback = isWholeGroups ? PAYBACK_PICTURES : Math.max(PAYBACK_PICTURES, Math.min(gop, MAX_PAYBACK_PICTURES));
  const debtShare = isEnd ? 1 : Math.min(1, sharingPictures / payback);
  return { pictures, sharingPictures, sharedBits, leastOtherBits, debtShare, reachesEnd: isEnd };
}

/** The base scale at which pictures take so many bits; `bitsAtScale` falls as the base scale rises. */
export function baseScaleFor(bitsAtScale: (baseScale: number) => number, bits: number): number {
  return scaleFor(bitsAtScale, bits, MIN_BASE_SCALE);
}

/** The picture scale, `least`..31, at which a picture takes so many bits. */
export function scaleFor(bitsAtScale: (scale: number) => number, bits: number, least = 1): number {
  let [fine, coarse] = [least, MAX_QUANTIZER_SCALE];
  // 24 bisections leave less than 1e-6 of the scale.
  for (let step = 0; step < 24; step++) {
    const middle = Math.sqrt(fine * coarse);
    if (bitsAtScale(middle) > bits) fine = middle;
    else coarse = middle;
  }
  return coarse;
}

/** The bits of pictures of these complexities, summed by type, at a base scale. */
export function bitsAtBaseScale(complexities: ReadonlyMap<PictureType, number>, baseScale: number): number {
  let bits = 0;
  for (const [type, complexity] of complexities) bits += bitsAt(complexity, meanPictureScale(type, baseScale));
  return bits;
}
