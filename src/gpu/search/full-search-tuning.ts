// What changes the speed of the exhaustive search.

/** How finalists become the best candidates: each finds its rank, or a bitonic network merges them. */
export type KeepMethod = 'ranks' | 'bitonic';

/** Changes the speed of the exhaustive search, never its result. `npm run bench:gpu` measures it. */
export interface FullSearchTuning {
  /** Most threads of a workgroup: 64, 128 or 256. More threads make larger tiles. */
  readonly threads?: number;
  /** By SAD, how the best candidates are kept; by default, their number decides. */
  readonly keep?: KeepMethod | undefined;
}
