// The entry of the lookahead's thread on Node.
import { answerMessages } from '../../../threads/node/answer-messages.js';
import { KeptThreads } from '../../../threads/node/kept-threads.js';
import type { LookaheadSetup } from './lookahead-tasks.js';
import { lookaheadWork } from './lookahead-work.js';

const keptThreads = new KeptThreads();

export default answerMessages((setup: LookaheadSetup) =>
  lookaheadWork(setup, setup.keepsThreads ? keptThreads : undefined),
);
