// The lookahead in a thread of its own: the same plans as in the calling thread, also where the thread dies early.
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { generateSample } from '../../../../samples/generate.js';
import { createLookaheadHere, type Lookahead } from '../../../../src/encoder/lookahead/lookahead.js';
import type { ForecastPicture } from '../../../../src/encoder/lookahead/picture-planner.js';
import { LookaheadThread } from '../../../../src/encoder/lookahead/thread/lookahead-thread.js';
import { lookaheadWork } from '../../../../src/encoder/lookahead/thread/lookahead-work.js';
import { lumaOf } from '../../../../src/encoder/motion/motion-search.js';
import type { EncoderOptions } from '../../../../src/encoder/options.js';
import { picturesAhead } from '../../../../src/encoder/settings/pictures-ahead.js';
import { resolveOptions } from '../../../../src/encoder/settings/resolve-options.js';
import { UnsupportedError } from '../../../../src/errors.js';
import { type Picture, pictureBytes, pictureFromFrame } from '../../../../src/picture/picture.js';
import { encodeFrames } from '../../../support/encode.js';

const SIZE = { width: 96, height: 80 };
const FRAMES = [...generateSample({ kind: 'pan', ...SIZE, frames: 30, seed: 3 })];
const PICTURES = FRAMES.map((frame, id) => {
  const { grid } = resolveOptions({ ...SIZE, frameRate: 25 });
  return pictureFromFrame(id, frame, grid, new SharedArrayBuffer(pictureBytes(grid)));
});
const DYING = fileURLToPath(new URL('fixtures/dying-lookahead.mjs', import.meta.url));
const module = (name: string) => fileURLToPath(new URL(`../../../motion/fixtures/${name}`, import.meta.url));

function settingsOf(options: Partial<EncoderOptions> = {}) {
  const settings = resolveOptions({ ...SIZE, frameRate: 25, threads: 2, estimator: 'cpu-predictive', ...options });
  return { ...settings, estimator: settings.estimator as string };
}

/** The lookahead in a thread; `lastPlan`: the plan at which the thread ends. */
function lookaheadThread(options?: Partial<EncoderOptions>, entry?: string, lastPlan?: number) {
  const settings = settingsOf(options);
  const warnings: string[] = [];
  const context = { onWarning: (message: string) => void warnings.push(message) };
  const createHere = () => createLookaheadHere(settings, context);
  const thread = new LookaheadThread({ ...settings, ...{ lastPlan } }, context, createHere, entry);
  return { lookahead: { planner: thread, motion: thread }, thread, warnings };
}

/** Resolves to false when the event loop has turned. */
function nextTurn(): Promise<boolean> {
  return new Promise(resolve => setImmediate(resolve, false));
}

/**
 * The plans of FRAMES, each with its scale factors as the coder would ask for them; then closes the estimator. Those of
 * anchor `n` are asked for ahead at the scale `expected(n)`.
 */
async function planAll({ planner, motion }: Lookahead, expected?: (anchor: number) => number) {
  const { grid } = settingsOf();
  const asked: Promise<ForecastPicture[]>[] = [];
  try {
    for (const [id, frame] of FRAMES.entries()) {
      await asked[id - picturesAhead(settingsOf(), false)];
      const picture = pictureFromFrame(id, frame, grid, new SharedArrayBuffer(pictureBytes(grid)));
      const planned = planner.plan(picture, 0);
      planned.catch(() => {}); // told below
      asked.push(planned);
    }
    const planned = (await Promise.all([...asked, planner.end()])).flat();
    const plans = [];
    const anchors = planned.filter(({ plan }) => plan.type !== 'B');
    for (const { plan, fields, weightFactors } of planned) {
      plans.push({ plan, fields, factors: await weightFactors?.(6) });
      const next = anchors.findIndex(anchor => anchor.plan === plan) + 1;
      if (expected && next > 0) anchors[next]?.askWeightFactors?.(expected(next));
    }
    return plans;
  } finally {
    await motion.close();
  }
}

describe('the lookahead in a thread', () => {
  it.each<[string, Partial<EncoderOptions>]>([
    ['a constant scale', { q: 6 }],
    ['a bit rate', { bitrate: 200_000 }],
  ])('plans as in the calling thread, at %s', async (_, options) => {
    const { lookahead, thread, warnings } = lookaheadThread(options);
    await thread.ready();
    const plans = await planAll(lookahead);
    expect(plans).toHaveLength(FRAMES.length);
    expect(plans).toEqual(await planAll(await createLookaheadHere(settingsOf(options), {})));
    expect(plans.filter(({ factors }) => factors)).toHaveLength(FRAMES.length);
    expect(warnings).toEqual([]);
    expect(thread.estimator).toMatchObject({ name: 'cpu-predictive', passedOver: [] });
    expect(thread.work.pictures).toBeGreaterThan(FRAMES.length);
    expect(thread.work.busyMs).toBeGreaterThan(0);
  });

  it('gives the same scale factors whatever was expected of the scale', async () => {
    const { lookahead, thread } = lookaheadThread({ bitrate: 200_000 });
    const expected = await planAll(await createLookaheadHere(settingsOf({ bitrate: 200_000 }), {}));
    const plans = await planAll(lookahead, plan => (plan % 2 === 0 ? 6 : 9));
    expect(plans).toEqual(expected);
    expect(thread.work.pictures).toBeGreaterThan(0);
  });

  it('says which pictures are still read: not those before the last two anchors', async () => {
    const { lookahead, thread } = lookaheadThread();
    expect(thread.isReading(0)).toBe(true);
    await planAll(lookahead);
    expect([0, 15, 20].map(number => thread.isReading(number))).toEqual([false, false, false]);
    expect(thread.isReading(29)).toBe(true);
  });

  it('hears between two pictures that other threads run', async () => {
    const settings = settingsOf({ threads: 4 });
    const { tasks } = lookaheadWork(settings);
    await tasks.search({ current: lumaOf(PICTURES[1]!), reference: lumaOf(PICTURES[0]!) });
    const pictures = PICTURES.slice(0, picturesAhead(settings, false));
    const plan = ({ id, y }: Picture) =>
      tasks.plan({ displayNumber: id, buffer: y.buffer, first: 0, codedPictures: 0 });
    const planned = Promise.all(pictures.map(plan));
    let turns = 0;
    for (let isOver = false; !isOver; turns++) isOver = await Promise.race([planned.then(() => true), nextTurn()]);
    await tasks.close();
    expect(turns).toBeGreaterThanOrEqual(pictures.length);
  });

  it('hands out fields of reconstructed pictures', async () => {
    const options = { motionReference: 'reconstructed' } as const;
    const here = await encodeFrames(FRAMES.slice(0, 8), { ...SIZE, ...options });
    const threaded = await encodeFrames(FRAMES.slice(0, 8), { ...SIZE, ...options, threads: 2 });
    expect(threaded.stream).toEqual(here.stream);
  });

  it('passes the error of an estimator on that cannot be made', async () => {
    const { thread, lookahead } = lookaheadThread({ estimator: module('unsupported-estimator.mjs') });
    await expect(thread.ready()).rejects.toBeInstanceOf(UnsupportedError);
    await expect(planAll(lookahead)).rejects.toThrow('no abacus was found on this machine');
  });

  it('closes an estimator that is made after all pictures are coded', async () => {
    const { stream, statistics } = await encodeFrames(FRAMES.slice(0, 1), { ...SIZE, threads: 2 });
    expect(stream).toEqual((await encodeFrames(FRAMES.slice(0, 1), { ...SIZE })).stream);
    expect(statistics.estimator).toBe('cpu-predictive');
  });

  it('gives up an estimator that is never made', async () => {
    const stop = new AbortController();
    const settings = settingsOf({ estimator: module('unmade-estimator.mjs') });
    const thread = new LookaheadThread(settings, { signal: stop.signal }, () => createLookaheadHere(settings, {}));
    const rejected = expect(thread.ready()).rejects.toThrow('the encode has failed');
    await thread.end(); // answered as soon as the thread runs
    stop.abort();
    await rejected;
    await thread.close();
  });
});

describe('a thread of the lookahead', () => {
  it.each([
    ['that cannot start', '/no/such/thread.js', undefined, /^no thread starts for the lookahead \(.*thread\.js/],
    ['that dies before it has planned a picture', DYING, 5, /^the lookahead's thread died \(.* exited with code: 3\)/],
  ])('%s is done without, with a warning', async (_, entry, lastPlan, says) => {
    const { lookahead, warnings } = lookaheadThread({}, entry, lastPlan);
    expect(await planAll(lookahead)).toEqual(await planAll(await createLookaheadHere(settingsOf(), {})));
    expect(warnings).toEqual([expect.stringMatching(says)]);
  });

  it('that dies later ends the encode', async () => {
    const { lookahead, warnings } = lookaheadThread({}, DYING, 29);
    const planning = planAll(lookahead);
    await expect(planning).rejects.toThrow(/^the lookahead failed: its thread ended \(.* exited with code: 3\)$/);
    expect(warnings).toEqual([]);
  });
});
