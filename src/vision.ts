// `mpegpu/vision`: what the exhaustive searches are good for beside video. It imports nothing of Node.

export { InputError, InternalError, OptionError, type OptionNaming, UnsupportedError } from './errors.js';
export type { Place } from './pattern/best-places.js';
export { outlinePlaces, type RgbPicture, whiteOutPlaces } from './pattern/marked-picture.js';
export { MAX_PATTERN_SIDE } from './pattern/pattern.js';
export {
  createPatternSearch,
  locatePattern,
  type PatternSearch,
  type PatternSearchOptions,
  SEARCH_DEVICES,
  type SearchDevice,
} from './pattern/pattern-search.js';
export type { PelImage } from './pattern/pel-image.js';
export { DEFAULT_TOLERANCE, MAX_TOLERANCE } from './pattern/tolerance.js';
export { type DisparityOptions, disparityOf } from './stereo/disparity-of.js';
export { grayPicture } from './stereo/gray-picture.js';
export {
  type DisparityMap,
  type GrayPicture,
  STEREO_STAGES,
  type StageMs,
  type StereoMatcher,
} from './stereo/matcher.js';
export {
  createMatcher,
  MATCHER_NAMES,
  type MatcherName,
  type MatcherOptions,
  type PairSize,
} from './stereo/matchers.js';
export {
  COST_NAMES,
  type CostName,
  STEREO_DEFAULTS,
  type StereoOptions,
  type StereoSettings,
} from './stereo/stereo-options.js';
