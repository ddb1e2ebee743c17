// A pattern that has been checked: its pels, and which of them count.
import { InputError } from '../errors.js';
import { type Components, checkPelImage, type PelImage, pelsWithoutAlpha } from './pel-image.js';

/** The largest width and height of a pattern, in pels. */
export const MAX_PATTERN_SIDE = 64;

/** A pel counts if its alpha is at least this: it is more the pattern than what lies behind it. */
const MIN_ALPHA = 128;

/** A pattern, and which of its pels are compared. */
export interface Pattern extends PelImage {
  /** For each pel, row by row: 1 if it counts, 0 if not. */
  readonly mask: Uint8Array;
  /** The pels that count, 1 or more. */
  readonly pelsThatCount: number;
}

/** Checks a pattern. Throws an OptionError for what is no image, an InputError for one that cannot be searched. */
export function readPattern(image: PelImage): Pattern {
  checkPelImage('pattern', image);
  const { width, height, channels, pels, name = 'the pattern' } = image;
  if (width > MAX_PATTERN_SIDE || height > MAX_PATTERN_SIDE) {
    const legal = `patterns are 1x1 to ${MAX_PATTERN_SIDE}x${MAX_PATTERN_SIDE} pels`;
    throw new InputError(`${name} is ${width}x${height}; ${legal}: cut out a part, or scale it and the pictures`);
  }
  const hasAlpha = channels === 2 || channels === 4;
  const mask = Uint8Array.from({ length: width * height }, (_, pel) =>
    hasAlpha && pels[channels * (pel + 1) - 1]! < MIN_ALPHA ? 0 : 1,
  );
  const pelsThatCount = mask.reduce((sum, counts) => sum + counts, 0);
  if (pelsThatCount === 0) throw new InputError(`${name} is wholly transparent: there is nothing to look for`);
  return { ...image, mask, pelsThatCount };
}

/** The samples of a pattern in planes with rows of `stride` bytes and `planeBytes` from one to the next. */
export interface PatternSamples {
  /** Distance of each sample from the place of the pattern in the first plane, in bytes. */
  readonly offsets: Int32Array;
  readonly values: Uint8Array;
}

/**
 * The samples in an order that jumps about the pattern: the first few are a sample of all, and most places can be given
 * up after them, even where one side of the pattern is like the picture.
 */
export function patternSamples(
  pattern: Pattern,
  components: Components,
  { stride, planeBytes }: { readonly stride: number; readonly planeBytes: number },
): PatternSamples {
  const { width, mask, pelsThatCount } = pattern;
  const pels = pelsWithoutAlpha(pattern, components);
  const counted = Array.from(mask.keys()).filter(pel => mask[pel] === 1);
  const length = pelsThatCount * components;
  const offsets = new Int32Array(length);
  const values = new Uint8Array(length);
  const step = jump(pelsThatCount);
  for (let i = 0; i < pelsThatCount; i++) {
    const pel = counted[(i * step) % pelsThatCount]!;
    for (let component = 0; component < components; component++) {
      const at = components * i + component;
      offsets[at] = component * planeBytes + Math.floor(pel / width) * stride + (pel % width);
      values[at] = pels[components * pel + component]!;
    }
  }
  return { offsets, values };
}

const GOLDEN_RATIO = 0.618;

/** A step near the golden ratio of `count` by which all of `count` are reached. */
function jump(count: number): number {
  let step = Math.max(1, Math.round(GOLDEN_RATIO * count));
  while (greatestCommonDivisor(step, count) !== 1) step++;
  return step;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
