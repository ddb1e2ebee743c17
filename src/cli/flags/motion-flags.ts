// The flags for motion search in an encode.
import { ENCODER_OPTIONS } from '../../encoder/settings/option-table.js';
import { ESTIMATOR_NAMES } from '../../motion/registry.js';
import type { FlagRows } from './flag-row.js';
import { estimatorName, plain, SEARCH_RANGE } from './flag-values.js';

export const MOTION_FLAGS = {
  estimator: {
    values: estimatorName('estimator'),
    option: 'estimator',
    meaning: `motion estimator: ${ESTIMATOR_NAMES.join(', ')}, or the path of a module`,
    commands: ['encode', 'plan', 'farm submit', 'estimate'],
  },
  range: {
    values: SEARCH_RANGE,
    option: 'range',
    meaning: 'search range in full pels to either side',
    commands: ['encode', 'plan', 'farm submit', 'estimate', 'compare'],
  },
  metric: {
    values: plain(ENCODER_OPTIONS.metric.values),
    option: 'metric',
    meaning: 'cost by which blocks are compared',
    commands: ['encode', 'plan', 'farm submit', 'estimate', 'compare'],
  },
  candidates: {
    values: plain(ENCODER_OPTIONS.candidates.values),
    option: 'candidates',
    meaning: 'vectors per block that the estimator offers to the coder',
    commands: ['encode', 'plan', 'farm submit', 'compare'],
  },
  motionReference: {
    values: plain(ENCODER_OPTIONS.motionReference.values, 'pictures'),
    option: 'motionReference',
    meaning: 'pictures in which motion is searched: source or reconstructed',
    commands: ['encode', 'plan', 'farm submit', 'compare'],
  },
  threads: {
    values: plain(ENCODER_OPTIONS.threads.values),
    option: 'threads',
    default:
      'one per core; of 8 cores or more 7/8, or 3/4 below 1280x720 with preset fast or fastest, or with a GPU estimator in one pass; at most 16; 1 for short videos; 2 in Node before 20.16',
    meaning: 'threads that code pictures side by side; with two or more, further threads search motion',
    commands: ['encode', 'encode-chunk', 'farm worker', 'farm up', 'compare'],
  },
} as const satisfies FlagRows;
