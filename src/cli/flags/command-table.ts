// The commands of `mpegpu` and their input.
import type { CommandName } from './flag-row.js';

/** A command: what it does, and whether it reads frames. */
export interface CommandRow {
  /** One sentence in lower case, without a full stop. */
  readonly meaning: string;
  readonly hasInput: boolean;
}

export const COMMANDS: Readonly<Record<CommandName, CommandRow>> = {
  encode: { meaning: 'encode frames to an MPEG-1 video', hasInput: true },
  estimate: { meaning: 'search motion between neighbouring frames, show it and measure it', hasInput: true },
  compare: {
    meaning: 'encode the same frames with several motion estimators; compare speed and compression',
    hasInput: true,
  },
  devices: { meaning: 'show what this machine offers, and which estimator auto chooses here', hasInput: false },
};

/** What `<input>` may be. */
export const INPUT_MEANING =
  'a folder of images, a printf or glob pattern in quotes, a video, .y4m, .yuv, or - (y4m on standard input)';
