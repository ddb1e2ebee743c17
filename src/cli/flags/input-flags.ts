// The flags for how a command reads its input, and which sound it takes.
import { AUDIO_AUTO } from '../../encode-files/encode-sound.js';
import { wholeNumbers } from '../../encoder/settings/option-values.js';
import type { FlagRows } from './flag-row.js';
import { ASPECT, anyText, BIT_RATE, COLOUR, CROP, FRAME_RATE, plain, SIZE } from './flag-values.js';

export const INPUT_FLAGS = {
  frames: {
    values: plain(wholeNumbers(1, Number.POSITIVE_INFINITY), 'n'),
    default: 'all',
    meaning: 'read at most this many frames',
    commands: ['encode', 'plan', 'farm submit', 'estimate', 'locate', 'compare'],
  },
  size: {
    values: SIZE,
    meaning: 'size of the pictures of raw .yuv input',
    commands: ['encode', 'plan', 'farm submit', 'estimate', 'locate', 'compare'],
  },
  fps: {
    values: FRAME_RATE,
    option: 'frameRate',
    isPrepared: true,
    default: "the input's, else 25",
    meaning: 'frames per second, one of the eight rates of MPEG-1, such as 25, 29.97 or 30000/1001',
    commands: ['encode', 'plan', 'farm submit', 'estimate', 'compare'],
  },
  crop: {
    values: CROP,
    meaning: 'keep this part of each picture; X, Y is its corner at the top left',
    commands: ['encode', 'plan', 'farm submit', 'estimate', 'compare'],
  },
  scale: {
    values: SIZE,
    meaning: 'scale each picture to this size, after the crop; the shape of the pels changes with it',
    commands: ['encode', 'plan', 'farm submit', 'estimate', 'compare'],
  },
  aspect: {
    values: ASPECT,
    default: "the input's, else square pels",
    meaning: 'shape of the picture as it is shown, such as 4:3, or of a pel, such as sar=16:15',
    commands: ['encode', 'plan', 'farm submit'],
  },
  deinterlace: {
    meaning: 'make progressive pictures of interlaced ones',
    commands: ['encode', 'plan', 'farm submit', 'estimate', 'locate', 'compare'],
  },
  background: {
    values: COLOUR,
    default: 'black',
    meaning: 'colour behind pels that are not opaque: a name such as white, or #rrggbb',
    commands: ['encode', 'plan', 'farm submit', 'estimate', 'locate', 'compare'],
  },
  toBt601: {
    meaning:
      'convert the colours of a video that says BT.709 or BT.2020 to BT.601, which players expect of small MPEG-1',
    commands: ['encode', 'plan', 'farm submit', 'estimate', 'compare'],
  },
  strict: {
    meaning:
      'fail, and write nothing, if the input is damaged; without it, what can be decoded is taken, and a line says so',
    commands: ['encode', 'plan', 'estimate', 'compare'],
  },
} as const satisfies FlagRows;

export const SOUND_FLAGS = {
  audio: {
    values: anyText('auto|none|path'),
    default: AUDIO_AUTO,
    meaning:
      "sound: auto is the input's first track, none leaves it out, a file gives its own (./auto for a file called auto)",
    commands: ['encode', 'assemble', 'farm submit'],
  },
  audioBitrate: {
    values: BIT_RATE,
    default: '192k, 96k for one channel',
    meaning: 'bit rate of the sound, which becomes MPEG-1 Layer II, such as 128k',
    commands: ['encode', 'assemble', 'farm submit'],
  },
} as const satisfies FlagRows;
