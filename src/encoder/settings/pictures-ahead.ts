// How many pictures may be searched before they are planned.
import { mayUseGpu } from '../../motion/built-in-estimators.js';
import type { EstimatorFactory } from '../../motion/estimator.js';
import { type MacroblockGrid, pictureBytes } from '../../picture/picture.js';

/** The least number of pictures that may be announced and not planned yet. */
const MIN_PICTURES_AHEAD = 8;
/**
 * How many for each thread; and how many bytes those beyond MIN_PICTURES_AHEAD may take, since large pictures take long
 * anyway. A GPU answers late, so more searches have to be under way.
 */
const AHEAD_OF_CPU = { perThread: 2, moreBytes: 24 * 2 ** 20 };
const AHEAD_OF_GPU = { perThread: 4, moreBytes: 200 * 2 ** 20 };

/** The settings that it depends on. */
interface ThreadsAndSize {
  readonly threads: number;
  readonly grid: MacroblockGrid;
}

/**
 * How many pictures may be announced and not planned yet. A plan waits for searches and for analysis in other threads;
 * the more threads code, the more plans must be under way for these to keep up.
 */
export function picturesAhead({ threads, grid }: ThreadsAndSize, usesGpu: boolean): number {
  const { perThread, moreBytes } = usesGpu ? AHEAD_OF_GPU : AHEAD_OF_CPU;
  const more = Math.floor(moreBytes / pictureBytes(grid));
  return Math.max(MIN_PICTURES_AHEAD, Math.min(perThread * threads, MIN_PICTURES_AHEAD + more));
}

/** The same for the estimator that the settings name; `auto` may take a GPU. */
export function mostPicturesAhead(
  settings: ThreadsAndSize & { readonly estimator: string | EstimatorFactory },
): number {
  return picturesAhead(settings, mayUseGpu(settings.estimator));
}
