// The flags for how a command reads its input.
import { wholeNumbers } from '../../encoder/settings/option-values.js';
import type { FlagRows } from './flag-row.js';
import { FRAME_RATE, plain, SIZE } from './flag-values.js';

export const INPUT_FLAGS = {
  frames: {
    values: plain(wholeNumbers(1, Number.POSITIVE_INFINITY), 'n'),
    default: 'all',
    meaning: 'read at most this many frames',
    commands: ['encode', 'plan', 'estimate', 'compare'],
  },
  size: {
    values: SIZE,
    meaning: 'size of the pictures of raw .yuv input',
    commands: ['encode', 'plan', 'estimate', 'compare'],
  },
  fps: {
    values: FRAME_RATE,
    option: 'frameRate',
    isPrepared: true,
    default: "the input's, else 25",
    meaning: 'frames per second, one of the eight rates of MPEG-1, such as 25, 29.97 or 30000/1001',
    commands: ['encode', 'plan', 'estimate', 'compare'],
  },
} as const satisfies FlagRows;
