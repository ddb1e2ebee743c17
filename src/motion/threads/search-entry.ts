// What search threads run.
import { threadEntry } from '../../threads/node/start-thread.js';

/** The entry of search threads: estimator-worker.js. */
export const SEARCH_ENTRY = threadEntry(import.meta.url, 'estimator-worker.js');
