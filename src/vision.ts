// `mpegpu/vision`: what the exhaustive searches are good for beside video. It imports nothing of Node.

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
