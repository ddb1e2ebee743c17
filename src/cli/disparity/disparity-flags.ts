// The flags of `mpegpu disparity` alone.
import { wholeNumbers, words } from '../../encoder/settings/option-values.js';
import { MAX_PATH_PENALTY, MAX_STEREO_RANGE, RANGE_STEP } from '../../kernels/records/stereo-job.js';
import { DISPARITY_FORMATS } from '../../media/maps/disparity-file.js';
import { MATCHER_NAMES } from '../../stereo/matchers.js';
import { COST_NAMES, STEREO_DEFAULTS } from '../../stereo/stereo-options.js';
import { DIVISOR } from '../flags/estimate-flags.js';
import type { FlagRows } from '../flags/flag-row.js';
import { anyText, plain } from '../flags/flag-values.js';

const RANGE = plain(wholeNumbers(RANGE_STEP, MAX_STEREO_RANGE));
const PENALTY = plain(wholeNumbers(0, MAX_PATH_PENALTY));

export const DISPARITY_FLAGS = {
  output: {
    letter: 'o',
    values: anyText('file'),
    isRequired: true,
    meaning: 'write the disparities: .png with 8 bits, scaled, or .pfm with floats in pels',
    commands: ['disparity'],
  },
  format: {
    values: plain(words(DISPARITY_FORMATS)),
    default: 'by the ending',
    meaning: 'format of the output; kitti is a PNG of 16 bits, 256 to a pel, 0 for unknown',
    commands: ['disparity'],
  },
  colourMap: {
    meaning: 'draw the PNG in colours: near things red, far ones blue, unknown ones black',
    commands: ['disparity'],
  },
  matcher: {
    values: plain(words(MATCHER_NAMES)),
    default: 'auto',
    meaning: 'what matches the pictures; auto takes a GPU if there is one, with the same result',
    commands: ['disparity'],
  },
  range: {
    values: RANGE,
    default: String(STEREO_DEFAULTS.range),
    meaning: `number of disparities that are tried, from 0 on: a multiple of ${RANGE_STEP}, at most the width`,
    commands: ['disparity'],
  },
  cost: {
    values: plain(words(COST_NAMES)),
    default: STEREO_DEFAULTS.cost,
    meaning: 'what matches are judged by: a census, the measure of Birchfield and Tomasi, or both',
    commands: ['disparity'],
  },
  p1: {
    values: PENALTY,
    default: String(STEREO_DEFAULTS.p1),
    meaning: 'penalty where the disparity changes by 1',
    commands: ['disparity'],
  },
  p2: {
    values: PENALTY,
    default: String(STEREO_DEFAULTS.p2),
    meaning: 'penalty where the disparity changes by more than 1; it is lowered at edges',
    commands: ['disparity'],
  },
  unfilled: {
    meaning: 'pels that the right picture does not show stay unknown; without it, they are filled',
    commands: ['disparity'],
  },
  truth: {
    values: anyText('file'),
    meaning: 'true disparities, 0 where unknown: report the bad pels; a gray image or a .pfm',
    commands: ['disparity'],
  },
  truthScale: {
    values: DIVISOR,
    default: '256 for 16 bits, else 1',
    meaning: 'divide the values of the file of --truth by this to get pels',
    commands: ['disparity'],
  },
  mask: {
    values: anyText('file'),
    meaning: 'an image that is 0 where pels are occluded: report the others by themselves, too',
    commands: ['disparity'],
  },
} as const satisfies FlagRows;
