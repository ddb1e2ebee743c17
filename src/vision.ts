// `mpegpu/vision`: finds depth in pictures, on the CPU or the GPU. It imports nothing of Node.

export { InputError, InternalError, OptionError, type OptionNaming, UnsupportedError } from './errors.js';
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
