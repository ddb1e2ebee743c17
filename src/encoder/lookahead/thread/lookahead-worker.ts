// The entry of the lookahead's thread on Node.
import { answerMessages } from '../../../threads/node/answer-messages.js';
import { BorrowedThreads } from '../../../threads/node/borrowed-threads.js';
import { ThreadStock } from '../../../threads/node/thread-stock.js';
import type { LookaheadSetup } from './lookahead-tasks.js';
import { lookaheadWork } from './lookahead-work.js';

const ownThreads = new ThreadStock();

export default answerMessages((setup: LookaheadSetup) =>
  lookaheadWork(setup, new BorrowedThreads(setup.lentPorts, setup.keepsThreads ? ownThreads : undefined)),
);
