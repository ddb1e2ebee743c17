// The passes of the sort: what TypeScript shares with their shaders, see ../layouts.ts.
import type { PassLayout } from '../layouts.js';

/** Steps of the bitonic network within tiles. */
export const SORT_TILES = {
  entryPoint: 'sort_tiles',
  files: ['pairs', 'sort_steps', 'sort_tiles'],
  bindings: ['parameters', 'keys', 'values'],
  struct: 'SortParameters',
  fields: ['length', 'shift', 'steps', 'isFirst'],
  constants: { THREADS: 256, ITEM_BITS: 3, TILE_BITS: 11, TILE: 2048 },
} as const satisfies PassLayout;

/** Steps of the bitonic network between tiles. */
export const SORT_ACROSS = {
  ...SORT_TILES,
  entryPoint: 'sort_across',
  files: ['pairs', 'sort_steps', 'sort_across'],
  constants: { THREADS: 256, ITEM_BITS: 3 },
} as const satisfies PassLayout;
