// The flags for sound.
import type { FlagRows } from './flag-row.js';
import { anyText, BIT_RATE } from './flag-values.js';

/** The values of --audio that name no file. */
export const AUDIO_AUTO = 'auto';
export const AUDIO_NONE = 'none';

export const SOUND_FLAGS = {
  audio: {
    values: anyText('auto|none|file'),
    default: AUDIO_AUTO,
    meaning:
      "sound: auto is the input's first track, none leaves it out, a file gives its own (./auto for one so called)",
    commands: ['encode', 'assemble'],
  },
  audioBitrate: {
    values: BIT_RATE,
    default: '192k, 96k for one channel',
    meaning: 'bit rate of the sound, which becomes MPEG-1 Layer II, such as 128k',
    commands: ['encode', 'assemble'],
  },
} as const satisfies FlagRows;
