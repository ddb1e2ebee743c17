// How the flags of a command ask for the input to be opened.
import { pictureOptionsOf } from '../media/filters/picture-options.js';
import type { FrameSourceOptions } from '../media/frames/frame-source.js';
import { printWarning } from './failure.js';
import type { FlagsIn } from './flags/flag-row.js';
import { asFlag } from './flags/flag-table.js';
import type { INPUT_FLAGS } from './flags/input-flags.js';

/** How the flags of a command ask for the input to be opened. */
export function sourceOptions(
  { frames, size, fps, strict = false, ...flags }: FlagsIn<typeof INPUT_FLAGS, 'encode' | 'plan'>,
  onWarning: (message: string) => void = printWarning,
): FrameSourceOptions {
  return {
    ...(frames !== undefined && { frames }),
    ...(size && { size }),
    ...(fps && { frameRate: fps }),
    ...pictureOptionsOf(flags),
    damage: strict ? 'error' : 'warn',
    onWarning,
    optionNaming: asFlag,
  };
}
