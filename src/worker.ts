// `mpegpu/worker`: the module that a browser's worker runs. It does what its first message says.
import { encoderWork } from './browser/encoder/encoder-work.js';
import { coderWork } from './encoder/coders/coder-work.js';
import { analysisWork } from './encoder/lookahead/thread/analysis-work.js';
import { lookaheadWork } from './encoder/lookahead/thread/lookahead-work.js';
import { estimatorWork } from './motion/threads/estimator-work.js';
import { answerMessages } from './threads/web/answer-messages.js';

answerMessages({
  'coder-worker.js': coderWork,
  'estimator-worker.js': estimatorWork,
  'lookahead-worker.js': lookaheadWork,
  'analysis-worker.js': analysisWork,
  'encoder-worker.js': encoderWork,
});
