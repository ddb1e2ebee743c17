// What the thread of a GPU can be asked beside its searches, by a port of its own.
import type { ThreadWork } from '../../threads/thread-messages.js';
import type { MotionEstimator } from '../estimator.js';
import type { FilterRequest, PictureFilter } from '../filter-request.js';
import type { EstimatorThread } from './estimator-work.js';

/** Tasks of the thread that feeds a GPU. */
export interface FilterTasks {
  /** See `PictureFilter.openFilter`. Rejects as the estimator's factory does. */
  open(allowSoftware: boolean): Promise<boolean>;
  filter(request: FilterRequest): Promise<boolean>;
}

/** Those of a GPU can filter pictures. */
function isFilter(estimator: MotionEstimator | undefined): estimator is MotionEstimator & PictureFilter {
  return estimator?.traits.runsOn === 'gpu' && 'filter' in estimator;
}

/** What a search thread does for whoever has pictures filtered. */
export function filterWork(thread: EstimatorThread): ThreadWork<FilterTasks, undefined> {
  const tasks: FilterTasks = {
    async open(allowSoftware) {
      await thread.open();
      return isFilter(thread.made) && thread.made.openFilter(allowSoftware);
    },
    async filter(request) {
      if (!isFilter(thread.made)) return false;
      thread.pause.keepAwake();
      const isDone = await thread.made.filter(request);
      thread.pause.keepAwake();
      return isDone;
    },
  };
  return { tasks, report: () => undefined };
}
