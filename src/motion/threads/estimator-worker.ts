// The entry of a search thread on Node.
import { answerMessages } from '../../threads/node/answer-messages.js';
import { estimatorWork } from './estimator-work.js';
import type { SearchSetup } from './search-tasks.js';

/** Dawn aborts the process where one is freed before a device of it, even a destroyed one. */
const entryPoints: GPU[] = [];

export default answerMessages((setup: SearchSetup) => estimatorWork(setup, entryPoints));
