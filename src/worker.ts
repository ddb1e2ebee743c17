// `mpegpu/worker`: the module that a browser's worker runs. It does what its first message says.
import { answerMessages } from './threads/web/answer-messages.js';

answerMessages({
  'coder-worker.js': async () => (await import('./encoder/coders/coder-work.js')).coderWork,
  'estimator-worker.js': async () => (await import('./motion/threads/estimator-work.js')).estimatorWork,
  'lookahead-worker.js': async () => (await import('./encoder/lookahead/thread/lookahead-work.js')).lookaheadWork,
  'analysis-worker.js': async () => (await import('./encoder/lookahead/thread/analysis-work.js')).analysisWork,
  'encoder-worker.js': async () => (await import('./browser/encoder/encoder-work.js')).encoderWork,
});
