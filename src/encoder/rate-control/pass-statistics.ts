// What a first pass tells a second one.
import { PICTURE_TYPES, type PictureType } from '../../bitstream/picture-type.js';

/** The result of one coded picture. */
export interface PassPicture {
  readonly type: PictureType;
  /** Bits of its access unit. */
  readonly bits: number;
  /** Its picture scale, before the scale factors of macroblocks; need not be whole. */
  readonly quantizerScale: number;
}

/** The pictures of an encode in coded order: `firstPass` of a second encode of the same frames. Plain data. */
export type PassStatistics = readonly PassPicture[];

/** Whether `value` is what an encode gives as its `passStatistics`: an I picture comes first, then another anchor. */
export function isPassStatistics(value: unknown): value is PassStatistics {
  if (!Array.isArray(value) || [...value].some(picture => !isPassPicture(picture))) return false;
  const [first, second] = value as PassStatistics;
  return !first || (first.type === 'I' && second?.type !== 'B');
}

function isPassPicture(value: unknown): boolean {
  const { type, bits, quantizerScale }: Partial<PassPicture> = Object(value);
  const isAmount = (amount: number | undefined) => Number.isFinite(amount) && amount! > 0;
  return PICTURE_TYPES.includes(type!) && isAmount(bits) && isAmount(quantizerScale);
}
