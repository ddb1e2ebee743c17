// The entry of the lookahead's thread on Node.
import { answerMessages } from '../../../threads/node/answer-messages.js';
import { BorrowedThreads } from '../../../threads/node/borrowed-threads.js';
import { ThreadStock } from '../../../threads/node/thread-stock.js';
import type { LookaheadSetup } from './lookahead-tasks.js';
import { lookaheadWork } from './lookahead-work.js';

const ownThreads = new ThreadStock();

export default answerMessages((setup: LookaheadSetup) => {
  const { lentPorts, lentSearcher, filterPort, keepsThreads } = setup;
  const analysts = new BorrowedThreads(lentPorts, keepsThreads ? ownThreads : undefined);
  const besides = filterPort && { filterPort };
  const searcher = lentSearcher && new BorrowedThreads([lentSearcher], undefined, keepsThreads, besides);
  return lookaheadWork(setup, analysts, searcher);
});
