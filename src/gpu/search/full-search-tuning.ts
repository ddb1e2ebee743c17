// What changes the speed of the exhaustive search.
import type { KeepMethod } from './kept-candidates.js';

/** Changes the speed of the exhaustive search, never its result. `npm run bench:gpu` measures it. */
export interface FullSearchTuning {
  /** Most threads of a workgroup: 64, 128 or 256. More threads make larger tiles. */
  readonly threads?: number;
  /** How the best candidates are kept; by default, their number decides. */
  readonly keep?: KeepMethod | undefined;
}
