// A search thread that another thread has started.
import { expect, it } from 'vitest';
import { createCpuPredictive } from '../../../src/motion/cpu/cpu-predictive.js';
import type { EstimatorParameters } from '../../../src/motion/estimator.js';
import { SEARCH_ENTRY } from '../../../src/motion/threads/search-entry.js';
import { createThreadedEstimator } from '../../../src/motion/threads/worker-host.js';
import { BorrowedThreads } from '../../../src/threads/node/borrowed-threads.js';
import { ThreadStock } from '../../../src/threads/node/thread-stock.js';
import { makePicture } from '../motion-pictures.js';

const PARAMETERS: EstimatorParameters = {
  width: 64,
  height: 48,
  metric: 'sad',
  blockSize: 16,
  range: { x: 15, y: 15 },
  candidatesPerBlock: 2,
  lambda: 1,
};
const REQUEST = { current: makePicture(1, 64, 48, 'noise'), reference: makePicture(0, 64, 48, 'noise') };

it('answers as one of its own does, and once it has ended a new one goes on', async () => {
  const lent = new ThreadStock().lend(SEARCH_ENTRY, 1);
  lent.start();
  const warnings: string[] = [];
  const estimator = await createThreadedEstimator('cpu-predictive', PARAMETERS, {
    threadSource: new BorrowedThreads(lent.ports),
    onWarning: message => warnings.push(message),
  });
  try {
    const expected = await (await createCpuPredictive(PARAMETERS)).estimate(REQUEST);
    expect(await estimator.estimate(REQUEST)).toEqual(expected);
    expect(warnings).toEqual([]);
    await lent.end();
    expect(await estimator.estimate(REQUEST)).toEqual(expected);
    expect(warnings).toEqual([expect.stringMatching(/^a thread of cpu-predictive died .* goes on in a new one$/)]);
  } finally {
    await estimator.close();
  }
});
