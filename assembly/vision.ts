// The kernels of the module for vision, file by file: encoders do not load them.
export { findInRow } from './pattern/search/find-in-row';
export { splitComponents } from './pattern/search/split-components';
export { selectDisparities } from './stereo/matching/disparity-selection';
export { matchingCosts } from './stereo/matching/matching-costs';
export { filterDisparities } from './stereo/matching/median-filter';
export { checkDisparities, fillDisparities } from './stereo/matching/occlusions';
export { aggregatePaths } from './stereo/matching/path-aggregation';
export { describePels } from './stereo/matching/pel-features';
