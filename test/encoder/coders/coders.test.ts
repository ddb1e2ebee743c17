// How many coders an encode has, that their memory can be addressed, and that none is lost.
import { expect, it } from 'vitest';
import { createCoders, sharedCodersOf } from '../../../src/encoder/coders/coders.js';
import { resolveOptions } from '../../../src/encoder/settings/resolve-options.js';
import { ThreadStock } from '../../../src/threads/node/thread-stock.js';
import { ThreadClaims } from '../../../src/threads/thread-claims.js';

/** Pointers are signed 32-bit numbers where they are shifted. */
const ADDRESSABLE_BYTES = 2 ** 31;

it.each([
  [{ width: 352, height: 288, threads: 64 }, 64],
  [{ width: 1920, height: 1080, threads: 16 }, 16],
  [{ width: 352, height: 288, threads: 8, motionReference: 'reconstructed' as const }, 1],
  [{ width: 352, height: 288, threads: 8, bitrate: 1e6 }, 8],
  [{ width: 352, height: 288, threads: 8, bitrate: 1e6, cbr: true }, 8],
])('%o has %i', async (options, count) => {
  const coders = await createCoders(resolveOptions({ frameRate: 25, ...options }), { onWarning: () => {} });
  expect(coders.count).toBe(count);
  await coders.close();
});

it.each([
  ['cpu-predictive', 42],
  ['gpu-mrmp', 33], // more reconstructions for each
])('as many as fit into memory, with pictures of the largest size and %s', async (estimator, count) => {
  const options = { frameRate: 25, width: 4095, height: 2800, threads: 64, estimator };
  const coders = await createCoders(resolveOptions(options), { onWarning: () => {} });
  expect(coders.count).toBe(count);
  expect(coders.memory.u8.length).toBeLessThan(ADDRESSABLE_BYTES);
  await coders.close();
});

it('are given back when the thread that has them analyse pictures has died', async () => {
  const options = { width: 352, height: 288, frameRate: 25, threads: 2, expectedFrames: 1000 };
  const settings = resolveOptions(options);
  const shared = (await sharedCodersOf(settings))!;
  const lookahead = new ThreadClaims(shared.claims, 'lookahead', shared.lent.claimsPort, () => {});
  const coders = await createCoders(settings, { onWarning: () => {}, shared });
  const caller = new ThreadClaims(shared.claims, 'caller', new MessageChannel().port1, () => {});
  const isLookaheads = (thread: number) => caller.isOthers(thread);
  try {
    lookahead.want(options.threads);
    while (!isLookaheads(0) || !isLookaheads(1)) await new Promise(resolve => setTimeout(resolve, 10));
    let thread: object | undefined;
    const idle = coders.nextThread().then(given => {
      thread = given;
    });
    await new Promise(resolve => setTimeout(resolve, 50));
    expect(thread).toBeUndefined();
    shared.lookaheadEnded.abort();
    await idle;
    expect(thread).toBeDefined();
  } finally {
    await coders.close();
  }
});

it.each([
  [true, 4],
  [false, 9],
])('start some at a time while a GPU is set up: %o, %i of nine', async (setsUpGpu, most) => {
  const settings = resolveOptions({ width: 352, height: 288, frameRate: 25, threads: 9, expectedFrames: 1000 });
  let starting = 0;
  const together: number[] = [];
  const stock = new ThreadStock();
  const start = stock.start.bind(stock);
  // A thread that is started is asked to open a coder, and runs when it has answered that.
  stock.start = async (entry, onDeath) => {
    together.push(++starting);
    const thread = await start(entry, onDeath);
    const run = thread.run.bind(thread);
    thread.run = async (message, handedOver) => {
      const reply = await run(message, handedOver);
      if (message.kind === 'open') starting--;
      return reply;
    };
    return thread;
  };
  const coders = await createCoders(settings, { onWarning: () => {}, keptThreads: stock, setsUpGpu });
  try {
    while (together.length < 9 || starting > 0) await new Promise(resolve => setTimeout(resolve, 5));
    expect(Math.max(...together)).toBe(most);
  } finally {
    await coders.close();
    await stock.close();
  }
});

it.each(['before they start', 'while they start'])('start though the lookahead ends %s', async when => {
  const settings = resolveOptions({ width: 352, height: 288, frameRate: 25, threads: 2, expectedFrames: 1000 });
  const shared = (await sharedCodersOf(settings))!;
  const endLookahead = async () => {
    for (const port of shared.lent.ports) port.close();
    shared.lastAsked.abort();
    await new Promise(resolve => setTimeout(resolve, 50)); // the other ends close
  };
  const stock = new ThreadStock();
  const start = stock.start.bind(stock);
  let opened = 0;
  stock.start = async (entry, onDeath) => {
    if (!shared.lastAsked.signal.aborted) await endLookahead();
    const thread = await start(entry, onDeath);
    const run = thread.run.bind(thread);
    thread.run = async (message, handedOver) => {
      const reply = await run(message, handedOver);
      if (message.kind === 'open') opened++;
      return reply;
    };
    return thread;
  };
  if (when === 'before they start') await endLookahead();
  const warnings: string[] = [];
  const onWarning = (warning: string) => warnings.push(warning);
  const coders = await createCoders(settings, { onWarning, keptThreads: stock, shared });
  try {
    while (opened < 2 && warnings.length === 0) await new Promise(resolve => setTimeout(resolve, 5));
    expect(warnings).toEqual([]);
  } finally {
    await coders.close();
    await stock.close();
  }
});
