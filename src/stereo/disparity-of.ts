// The disparities of one stereo pair, in one call.
import { InputError } from '../errors.js';
import type { DisparityMap, GrayPicture } from './matcher.js';
import { createMatcher, type MatcherOptions } from './matchers.js';

/** Options of {@link disparityOf}. */
export type DisparityOptions = MatcherOptions;

/**
 * The disparities of the left picture of a rectified pair. Rejects as {@link createMatcher}, and with InputError if the
 * pictures differ in size. For many pairs, make a matcher once.
 */
export async function disparityOf(
  left: GrayPicture,
  right: GrayPicture,
  options: DisparityOptions = {},
): Promise<DisparityMap> {
  requireSameSize('the left picture', Object(left), 'the right one', Object(right));
  const matcher = await createMatcher(left, options);
  try {
    return await matcher.match(left, right);
  } finally {
    await matcher.close();
  }
}

/** Throws an InputError with both names if two pictures differ in size. */
export function requireSameSize(
  name: string,
  one: Pick<GrayPicture, 'width' | 'height'>,
  otherName: string,
  other: Pick<GrayPicture, 'width' | 'height'>,
): void {
  if (one.width === other.width && one.height === other.height) return;
  throw new InputError(
    `${name} is ${one.width}x${one.height}, but ${otherName} is ${other.width}x${other.height}: one size is needed`,
  );
}
