// The fourteen shapes of a pel in MPEG-1.
import { InputError } from '../../errors.js';
import { inWords } from '../../given-options.js';
import { log2 } from '../../portable-math.js';

/** The shape of a pel: `width` to `height`, as 16:15, which others call its sample aspect ratio. */
export interface PelAspect {
  readonly width: number;
  readonly height: number;
}

/**
 * The height of a pel over its width for pel_aspect_ratio 1..14, from index 0; ISO/IEC 11172-2 §2.4.3.2. 3 and 6 are
 * for pictures of 16:9 with 625 and 525 lines, 8 and 12 for those of 4:3.
 */
export const PEL_ASPECT_RATIOS: readonly number[] = [
  ...[1.0, 0.6735, 0.7031, 0.7615, 0.8055, 0.8437, 0.8935],
  ...[0.9157, 0.9815, 1.0255, 1.0695, 1.095, 1.1575, 1.2015],
];

/**
 * The pel_aspect_ratio that is nearest to a shape, 1..14, and by which factor its pels are wider than that shape.
 * Throws InputError unless width and height are finite numbers above 0.
 */
export function nearestPelAspectRatio(shape: PelAspect): { readonly code: number; readonly widening: number } {
  const { width, height } = Object(shape) as PelAspect;
  if (!(width > 0 && height > 0 && width + height < Number.POSITIVE_INFINITY)) {
    throw new InputError(`${inWords(shape)} is no shape of a pel; legal: { width, height }, numbers above 0`);
  }
  const widenings = PEL_ASPECT_RATIOS.map(heightOverWidth => height / (width * heightOverWidth));
  const distances = widenings.map(widening => Math.abs(log2(widening)));
  const index = distances.indexOf(Math.min(...distances));
  return { code: index + 1, widening: widenings[index]! };
}
