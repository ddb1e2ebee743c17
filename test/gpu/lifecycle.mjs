// Makes GPU estimators from the built package, stops them at all stages of work, and must end by itself.
// Run by lifecycle.test.ts in a process of its own: `node lifecycle.mjs main|worker CYCLES`.
// MPEGPU_TEST_DAWN_FLAGS holds flags for Dawn, with spaces between them.
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { create as createGpu } from 'webgpu';
import { createGpuFull, createGpuMrmp } from '../../dist/gpu/gpu-estimators.js';
import { PollingPause } from '../../dist/motion/threads/polling-pause.js';

const flags = (process.env.MPEGPU_TEST_DAWN_FLAGS ?? '').split(' ').filter(Boolean);

const parameters = {
  width: 48,
  height: 32,
  metric: 'sad',
  blockSize: 16,
  range: { x: 1, y: 1 },
  candidatesPerBlock: 1,
  lambda: 0,
};

function pair(id) {
  const pels = Uint8Array.from({ length: 48 * 32 }, (_, at) => (at * (id + 3)) & 0xff);
  return { current: { id, width: 48, height: 32, pels }, reference: { id: id + 1, width: 48, height: 32, pels } };
}

/** A picture to filter with another one. */
function filterRequest(id) {
  const { current, reference } = pair(id);
  const [dx, dy] = [new Int16Array(6), new Int16Array(6)];
  return {
    current,
    references: [{ picture: reference, dx, dy, isReversed: false }],
    numbers: { pelLimit: 25, pelFactor: 52, pelSquare: 32500, maxSquares: 60_000, strengths: [100] },
    target: new Uint8Array(current.pels.length),
  };
}

/** Closes with `started` pairs under way, some of them waiting for a lane. Returns how many were answered. */
async function cycle(create, started) {
  // As findGpu does, which knows no such flags: an entry point for each estimator.
  const gpu = flags.length > 0 ? createGpu(flags) : undefined;
  // The thread sleeps while shaders are compiled; in the main thread it then polls without a pause, as in a program.
  const pause = isMainThread ? new PollingPause() : undefined;
  const estimator = await create(parameters, { gpu, depth: 2, pairs: 1 });
  pause?.end();
  const calls = Array.from({ length: started }, (_, id) => estimator.estimate(pair(id)));
  const outcomes = Promise.allSettled(calls);
  // Of the cycle with most under way, pictures are filtered, too.
  const filters = started === 4 ? [10, 11, 12, 13].map(id => estimator.filter(filterRequest(id))) : [];
  if (started % 2 === 1) await calls[0];
  await Promise.all([estimator.close(), estimator.close()]);
  const settled = await outcomes;
  await Promise.all(filters);
  for (const { status, reason } of settled) {
    if (status === 'rejected' && !/is closed/.test(reason.message)) throw reason;
  }
  return settled.filter(({ status }) => status === 'fulfilled').length;
}

/** Pairs under way when an estimator is closed: two are on the GPU, the others wait. If odd, the first is answered. */
const STARTED = [0, 1, 4, 3, 2, 5];

/** Mostly `gpu-mrmp`, which compiles in half of the time; the life of a device is the same. */
async function cycles(count) {
  let answered = 0;
  for (let index = 0; index < count; index++) {
    answered += await cycle(index % 4 === 3 ? createGpuFull : createGpuMrmp, STARTED[index % STARTED.length]);
    globalThis.gc?.();
  }
  return answered;
}

if (isMainThread) {
  const [, , where, count] = process.argv;
  if (where === 'main') {
    console.log(`answered ${await cycles(Number(count))}`);
  } else {
    const worker = new Worker(new URL(import.meta.url), { workerData: Number(count) });
    worker.on('message', answered => console.log(`answered ${answered}`));
  }
} else {
  new PollingPause(); // as a search thread does
  parentPort.postMessage(await cycles(workerData));
}
