// Takes the place of gpu-filter.ts in what browsers load: the thread of a GPU filters no pictures there.
import { UnsupportedError } from '../../errors.js';

/** See gpu-filter.ts. */
export function createGpuFilter(): never {
  throw new UnsupportedError('a page filters on the CPU');
}
