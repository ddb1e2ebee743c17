// The sort on the GPU for users of the library: the GPU's code is loaded when it is needed.
import type { GpuSorter, GpuSorterOptions } from './gpu/sort/gpu-sorter.js';
import type { SortedItems } from './gpu/sort/sort-items.js';

export type { GpuSorter, GpuSorterOptions, SortBuffers, SortPasses } from './gpu/sort/gpu-sorter.js';
export type { SortedItems } from './gpu/sort/sort-items.js';

const loadSort = () => import('./gpu/sort/open-sorter.js');

/**
 * Opens a GPU and compiles the sort, for many sorts, or for buffers that are on the GPU already. Rejects with
 * `UnsupportedError` where there is no GPU.
 */
export async function createGpuSorter(options?: GpuSorterOptions): Promise<GpuSorter> {
  return (await loadSort()).createGpuSorter(options);
}

/**
 * Sorts u32 keys, and the values that belong to them, on the GPU: by key, then by value, ascending. Returns new arrays
 * and leaves `keys` and `values` as they are. The GPU is opened for each call; for several, see
 * {@link createGpuSorter}. Rejects with `UnsupportedError` where there is no GPU, and with `OptionError` for arrays of
 * another type, and for lengths that differ or are too long.
 */
export async function sortOnGpu(
  keys: Uint32Array,
  values?: Uint32Array,
  options?: GpuSorterOptions,
): Promise<SortedItems> {
  return (await loadSort()).sortOnGpu(keys, values, options);
}
