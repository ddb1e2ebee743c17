// The flags for quality and bit rate.
import { ENCODER_OPTIONS } from '../../encoder/settings/option-table.js';
import { wholeNumbers } from '../../encoder/settings/option-values.js';
import type { FlagRows } from './flag-row.js';
import { BIT_RATE, plain } from './flag-values.js';

export const RATE_FLAGS = {
  q: {
    values: plain(ENCODER_OPTIONS.q.values),
    option: 'q',
    meaning: 'constant quantizer_scale; 1 is the finest',
    commands: ['encode', 'plan', 'farm submit'],
  },
  quality: {
    values: plain(ENCODER_OPTIONS.quality.values),
    option: 'quality',
    meaning: 'constant quality instead of --q; 100 is the finest, fractions are legal',
    commands: ['encode', 'plan', 'farm submit'],
  },
  bitrate: {
    values: BIT_RATE,
    option: 'bitrate',
    meaning: 'mean bit rate instead of --q: 1150000, 1150k or 1.15M bits per second',
    commands: ['encode', 'plan', 'farm submit'],
  },
  passes: {
    values: plain(wholeNumbers(1, 2)),
    default: '1',
    meaning: '2: read the input twice to spend the bits of --bitrate where they are needed',
    commands: ['encode', 'plan', 'farm submit'],
  },
  cbr: {
    option: 'cbr',
    meaning: "constant bit rate: the decoder's buffer receives --bitrate all the time, and zero bytes fill gaps",
    commands: ['encode'],
    refusedBy: ['plan', 'farm submit'],
  },
  maxrate: {
    values: BIT_RATE,
    option: 'maxrate',
    default: '1.5 times --bitrate if --vbv is given',
    meaning: "at most this many bits per second enter the decoder's buffer",
    commands: ['encode'],
    refusedBy: ['plan', 'farm submit'],
  },
  vbv: {
    values: plain(wholeNumbers(ENCODER_OPTIONS.vbvBytes.values.min, ENCODER_OPTIONS.vbvBytes.values.max), 'bytes'),
    option: 'vbvBytes',
    default: 'half a second, at least 40960',
    meaning: "size of the decoder's buffer for --cbr and --maxrate, rounded down to a multiple of 2048",
    commands: ['encode'],
    refusedBy: ['plan', 'farm submit'],
  },
  target: {
    values: plain(ENCODER_OPTIONS.target.values),
    option: 'target',
    meaning: 'set what Video CD or JSMpeg (.ts) needs',
    commands: ['encode', 'plan', 'farm submit'],
  },
} as const satisfies FlagRows;
