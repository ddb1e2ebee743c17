// The pass of the pattern search: what TypeScript shares with its shader, see ../layouts.ts.
import { MAX_PATTERN_SIDE } from '../../pattern/pattern.js';
import type { PassLayout } from '../layouts.js';

/** Every place of a picture where a pattern lies within a limit. */
export const LOCATE_PATTERN = {
  entryPoint: 'locate_pattern',
  files: ['pels', 'locate_pattern'],
  bindings: ['parameters', 'pattern', 'picture', 'answer'],
  struct: 'LocateParameters',
  fields: ['columns', 'rows', 'pelBytes', 'width', 'step', 'patternWords', 'patternRows', 'limit', 'capacity'],
  constants: { SIDE: 32, PLACES: 4, MAX_PATTERN: MAX_PATTERN_SIDE },
} as const satisfies PassLayout;
