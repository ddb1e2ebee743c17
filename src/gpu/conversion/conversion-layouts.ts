// The pass of the conversion: what TypeScript shares with its shader, see ../layouts.ts.
import type { PassLayout } from '../layouts.js';

/** The planes of a frame, of a picture of RGB. */
export const RGB_TO_FRAME = {
  entryPoint: 'rgb_to_frame',
  files: ['rgb_to_frame'],
  bindings: ['parameters', 'picture', 'planes'],
  struct: 'RgbToFrameParameters',
  fields: ['width', 'height', 'background'],
  constants: { GROUP_WORDS: 64, ROW_WORDS: 4096 },
} as const satisfies PassLayout;
