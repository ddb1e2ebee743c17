// Makes a stereo matcher by its name; `auto` takes the GPU where there is one.
import { InputError, OptionError, UnsupportedError } from '../errors.js';
import { inWords, requireKnownNames } from '../given-options.js';
import { suggestion } from '../nearest-name.js';
import { createCpuMatcher } from './cpu-matcher.js';
import type { MatcherContext, StereoMatcher } from './matcher.js';
import { type StereoOptions, stereoSettings } from './stereo-options.js';

/** The names of {@link MatcherName}. */
export const MATCHER_NAMES = ['auto', 'gpu-sgm', 'cpu-sgm'] as const;

/**
 * A matcher: `gpu-sgm` and `cpu-sgm` give the same disparities; `auto` is `gpu-sgm` on a GPU that is no software, else
 * `cpu-sgm`.
 */
export type MatcherName = (typeof MATCHER_NAMES)[number];

/** A pair's size, in pels. */
export interface PairSize {
  readonly width: number;
  readonly height: number;
}

/** Options of {@link createMatcher}. */
export interface MatcherOptions extends StereoOptions, Pick<MatcherContext, 'kernels'> {
  /** Default `auto`. */
  readonly matcher?: MatcherName | undefined;
}

const NAMES = Object.keys({
  matcher: true,
  kernels: true,
  range: true,
  cost: true,
  p1: true,
  p2: true,
  fill: true,
} satisfies Record<keyof MatcherOptions, true>);

/**
 * Makes a matcher for pairs of one size; close it at the end. Rejects with OptionError for a wrong option, InputError
 * for pictures that are narrower than the range or too large, and UnsupportedError where this machine cannot run it.
 */
export async function createMatcher(size: PairSize, options: MatcherOptions = {}): Promise<StereoMatcher> {
  const { width, height }: PairSize = Object(size);
  requireKnownNames(options, NAMES, 'MatcherOptions');
  const { matcher = 'auto', kernels, ...rest } = options;
  requireMatcherName(matcher);
  const settings = stereoSettings(rest);
  for (const [side, pels] of Object.entries({ width, height })) {
    if (Number.isInteger(pels) && pels > 0) continue;
    throw new InputError(`the ${side} of the pictures is ${inWords(pels)}, not a whole number of pels`);
  }
  if (matcher !== 'cpu-sgm') {
    try {
      const { createGpuMatcher } = await import('../gpu/stereo/gpu-matcher.js');
      return await createGpuMatcher(width, height, settings, { allowSoftware: matcher === 'gpu-sgm' });
    } catch (error) {
      if (matcher === 'gpu-sgm' || !(error instanceof UnsupportedError)) throw error;
    }
  }
  return createCpuMatcher(width, height, settings, { kernels });
}

function requireMatcherName(name: string): void {
  if (MATCHER_NAMES.some(known => known === name)) return;
  const wrong = `'${name}' does not exist${typeof name === 'string' ? suggestion(name, MATCHER_NAMES) : ''}`;
  throw new OptionError('matcher', named => `${named('matcher')} ${wrong}; legal: ${MATCHER_NAMES.join(', ')}`);
}
