// The flags of `mpegpu locate` alone.
import { numbers, words } from '../../encoder/settings/option-values.js';
import { SEARCH_DEVICES } from '../../pattern/pattern-search.js';
import { DEFAULT_TOLERANCE, MAX_TOLERANCE } from '../../pattern/tolerance.js';
import type { FlagRows } from '../flags/flag-row.js';
import { anyText, plain } from '../flags/flag-values.js';

export const LOCATE_FLAGS = {
  tolerance: {
    values: plain(numbers(0, MAX_TOLERANCE)),
    default: String(DEFAULT_TOLERANCE),
    meaning: 'largest error of a place: mean absolute difference per pel and component',
    commands: ['locate'],
  },
  device: {
    values: plain(words(SEARCH_DEVICES)),
    default: 'auto',
    meaning: 'where to search; auto: on a GPU where there is a real one, else on the CPU; the places are the same',
    commands: ['locate'],
  },
  output: {
    letter: 'o',
    values: anyText('folder'),
    meaning: 'write the pictures of --outline and --white-out as PNG, those in which the pattern was found',
    commands: ['locate'],
  },
  outline: {
    meaning: 'draw a red line around each place',
    commands: ['locate'],
  },
  whiteOut: {
    meaning: 'make everything white but the places',
    commands: ['locate'],
  },
} as const satisfies FlagRows;
