// The entry of a search thread on Node.
import { answerMessages } from '../../threads/node/answer-messages.js';
import { estimatorWork } from './estimator-work.js';
import type { SearchSetup } from './search-tasks.js';
import { ThreadGpu } from './thread-gpu.js';

/** Dawn aborts the process where an entry point is freed before a device of it, even a destroyed one. */
const gpu = new ThreadGpu();

export default answerMessages((setup: SearchSetup, onAnswered) => estimatorWork(setup, gpu, onAnswered));
