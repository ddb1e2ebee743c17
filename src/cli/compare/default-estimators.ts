// The estimators that `compare` takes where the user names none.
import type { AdapterReport } from '../devices/describe-gpu.js';

/** No motion, with which the others are compared, the classic search, and what `auto` takes without a GPU. */
const EVERYWHERE = ['zero', 'cpu-log', 'cpu-predictive'] as const;
/** The multiresolution and the full search. On the CPU they give the same vectors as on the GPU, and take longer. */
const ON_CPU = ['cpu-mrmp', 'cpu-full'] as const;
const ON_GPU = ['gpu-mrmp', 'gpu-full'] as const;

/** Each kind of search once: the thorough ones on a real GPU where there is one. */
export function defaultEstimators({ adapters }: Pick<AdapterReport, 'adapters'>): string[] {
  const hasGpu = adapters.some(({ software }) => !software);
  return [...EVERYWHERE, ...(hasGpu ? ON_GPU : ON_CPU)];
}
