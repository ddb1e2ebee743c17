// What the thread of a GPU can be asked beside its searches, by a port of its own.
import type { MotionEstimator } from '../estimator.js';
import type { FilterRequest, PictureFilter } from '../picture-filter.js';

/** Tasks of the thread that feeds a GPU. */
export interface FilterTasks {
  /** Resolves when the estimator is made, with whether it can filter pictures. Rejects as its factory does. */
  open(): Promise<boolean>;
  filter(request: FilterRequest): Promise<boolean>;
}

/** Whether an estimator can filter pictures: those of a GPU do. */
export function isFilter(estimator: MotionEstimator): estimator is MotionEstimator & PictureFilter {
  return 'filter' in estimator && estimator.traits.runsOn === 'gpu';
}
