// The entry of a search thread on Node.
import { answerPort } from '../../threads/answer-port.js';
import { answerMessages } from '../../threads/node/answer-messages.js';
import { estimatorWork } from './estimator-work.js';
import { filterWork } from './filter-tasks.js';
import type { SearchSetup } from './search-tasks.js';
import { ThreadGpu } from './thread-gpu.js';

/** Dawn aborts the process where an entry point is freed before a device of it, even a destroyed one. */
const gpu = new ThreadGpu();

export default answerMessages((setup: SearchSetup, onAnswered) => {
  const work = estimatorWork(setup, gpu);
  if (setup.filterPort) answerPort(setup.filterPort, () => filterWork(work.thread), onAnswered);
  return work;
});
