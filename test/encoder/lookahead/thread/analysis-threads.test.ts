// Threads that analyse pictures: the same plans as without them, whenever they begin, and when they die.
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { generateSample } from '../../../../samples/generate.js';
import { shareCoders } from '../../../../src/encoder/coders/shared-coders.js';
import { createLookaheadHere } from '../../../../src/encoder/lookahead/lookahead.js';
import { type ForecastPicture, maxAnchorDistance } from '../../../../src/encoder/lookahead/picture-planner.js';
import { AnalysisThreads } from '../../../../src/encoder/lookahead/thread/analysis-threads.js';
import { analysisWork } from '../../../../src/encoder/lookahead/thread/analysis-work.js';
import { startDistanceOf } from '../../../../src/encoder/motion/source-motion.js';
import type { EncoderOptions } from '../../../../src/encoder/options.js';
import { resolveOptions } from '../../../../src/encoder/settings/resolve-options.js';
import { pictureBytes, pictureFromFrame } from '../../../../src/picture/picture.js';
import { answerPort } from '../../../../src/threads/answer-port.js';
import { ThreadStock } from '../../../../src/threads/node/thread-stock.js';
import { ThreadClaims } from '../../../../src/threads/thread-claims.js';

// More rows of macroblocks than threads give each other at a time.
const SIZE = { width: 32, height: 160 };
const FRAMES = [
  ...generateSample({ kind: 'pan', ...SIZE, frames: 14, seed: 3 }),
  ...generateSample({ kind: 'snow', ...SIZE, frames: 10, seed: 4 }),
];
const DYING = fileURLToPath(new URL('fixtures/dying-analysis.mjs', import.meta.url));
const OUT_OF_TURN = fileURLToPath(new URL('../../../motion/fixtures/out-of-turn-estimator.mjs', import.meta.url));

/** A thread takes longer to start than these plans to be made: those that live are used by the next test. */
const stock = new ThreadStock();
afterAll(() => stock.close());

/** How pictures are analysed: from which one on, by how many threads, and whether those search. */
interface Analysis {
  readonly from: number;
  readonly searches: boolean;
  readonly forArrivals: number;
  readonly entry?: string;
  /** Coder threads that are asked what lies between anchors. */
  readonly coders?: number;
}

/** Coder threads that code nothing: this thread answers for them. */
function idleCoders(count: number) {
  const { claims, claimsPort, ports, lent } = shareCoders(count);
  const caller = new ThreadClaims(claims, 'caller', claimsPort, thread => {
    if (thread !== undefined) caller.release(thread);
  });
  for (const [number, port] of ports.entries()) {
    answerPort(port, analysisWork);
    caller.add(number);
  }
  return { lent, close: () => caller.close() };
}

/** The plans of FRAMES with their fields and factors, and what was said and searched. */
async function plansOf(options: Partial<EncoderOptions>, analysis?: Analysis) {
  const settings = resolveOptions({
    ...{ ...SIZE, frameRate: 25, threads: 1 },
    ...(options.bitrate === undefined && { q: 6 }),
    ...options,
  });
  const { estimator } = settings;
  const warnings: string[] = [];
  const { planner, motion } = await createLookaheadHere(settings, {});
  const coders = analysis?.coders ? idleCoders(analysis.coders) : undefined;
  const threads =
    analysis &&
    (await AnalysisThreads.start({
      ...analysis,
      lentCoders: coders?.lent,
      options: { ...settings, estimator: estimator as string },
      maxDistance: maxAnchorDistance(settings),
      searcher: analysis.searches ? (estimator as string) : undefined,
      forDecisions: 2,
      startDistance: startDistanceOf(settings),
      onWarning: message => warnings.push(message),
      ...(analysis.entry === undefined && { keptThreads: stock }),
    }));
  try {
    const asked: Promise<ForecastPicture[]>[] = [];
    for (const [number, frame] of FRAMES.entries()) {
      if (threads && number === analysis.from) planner.analyseBy(threads);
      const shared = new SharedArrayBuffer(pictureBytes(settings.grid));
      const planned = planner.plan(pictureFromFrame(number, frame, settings.grid, shared));
      planned.catch(() => {}); // told below
      asked.push(planned);
      // As many as may be announced.
      await asked[number - 7];
    }
    const plans = [];
    for (const { plan, fields, around, weightFactors } of (await Promise.all([...asked, planner.end()])).flat()) {
      plans.push({ plan, fields, around, factors: await weightFactors?.(6) });
    }
    return { plans, warnings, searchedHere: motion.work.pictures, searchedThere: threads?.work.pictures ?? 0 };
  } finally {
    await threads?.close();
    coders?.close();
    await motion.close();
  }
}

const alone = new Map<string, ReturnType<typeof plansOf>>();
/** The plans of FRAMES without threads that analyse, made once for the same options. */
function plansAlone(options: Partial<EncoderOptions>): ReturnType<typeof plansOf> {
  const key = JSON.stringify(options);
  const plans = alone.get(key) ?? plansOf(options);
  alone.set(key, plans);
  return plans;
}

const FIRST_PASS: Partial<EncoderOptions> = { bitrate: 100_000, isFirstPass: true };

describe('threads that analyse pictures', () => {
  it.each<[string, Partial<EncoderOptions>, Omit<Analysis, 'entry'>]>([
    ['searches from starts', { estimator: 'cpu-predictive' }, { from: 0, searches: true, forArrivals: 2 }],
    ['searches that follow each other', { estimator: 'cpu-predictive' }, { from: 1, searches: true, forArrivals: 5 }],
    ['begun late', { estimator: 'cpu-predictive' }, { from: 5, searches: true, forArrivals: 1 }],
    ['costs that are no SADs', { estimator: 'cpu-log', metric: 'sse' }, { from: 0, searches: true, forArrivals: 1 }],
    ['no B pictures', { estimator: 'cpu-predictive', bFrames: 0 }, { from: 3, searches: true, forArrivals: 2 }],
    ['many B pictures', { estimator: 'zero', bFrames: 7, gop: 9 }, { from: 0, searches: true, forArrivals: 2 }],
    ['a first pass', { estimator: 'cpu-predictive', ...FIRST_PASS }, { from: 3, searches: true, forArrivals: 3 }],
    ['coder threads', { estimator: 'cpu-predictive' }, { from: 0, searches: true, forArrivals: 2, coders: 3 }],
    [
      'coder threads, given fields',
      { estimator: OUT_OF_TURN },
      { from: 0, searches: false, forArrivals: 1, coders: 2 },
    ],
    ['given fields', { estimator: 'cpu-mrmp' }, { from: 2, searches: false, forArrivals: 1 }],
    ['given fields out of turn', { estimator: OUT_OF_TURN }, { from: 0, searches: false, forArrivals: 1 }],
    ['given fields, sse', { estimator: 'cpu-log', metric: 'sse' }, { from: 0, searches: false, forArrivals: 2 }],
  ])('plan as without them: %s', async (_, options, analysis) => {
    const { plans, warnings, searchedHere, searchedThere } = await plansOf(options, analysis);
    expect(plans).toHaveLength(FRAMES.length);
    expect(plans).toEqual((await plansAlone(options)).plans);
    expect(warnings).toEqual([]);
    if (analysis.searches) expect(searchedThere).toBeGreaterThan(searchedHere);
    else expect([searchedThere, searchedHere > FRAMES.length]).toEqual([0, true]);
  });

  it.each<[string, Partial<EncoderOptions>, Omit<Analysis, 'entry'> | undefined]>([
    ['that search', { estimator: 'cpu-log' }, { from: 0, searches: true, forArrivals: 1 }],
    ['that are given fields', { estimator: 'cpu-log' }, { from: 0, searches: false, forArrivals: 1 }],
    ['that code, too', { estimator: 'cpu-predictive' }, { from: 0, searches: true, forArrivals: 1, coders: 2 }],
    ['that only search', { estimator: 'cpu-log', threads: 2 }, undefined],
    ['that search from starts', { estimator: 'cpu-predictive' }, { from: 0, searches: true, forArrivals: 1 }],
  ])('search nothing in a second pass that it does not need: threads %s', async (_, options, analysis) => {
    const first = await plansAlone(options);
    const firstPass = first.plans.map(({ plan }) => ({ type: plan.type, bits: 1000, quantizerScale: 6 }));
    const second = { ...options, bitrate: 100_000, firstPass };
    const { plans, searchedHere, searchedThere } = await plansOf(second, analysis);
    expect(plans.map(({ plan }) => plan)).toEqual(first.plans.map(({ plan }) => plan));
    expect(plans).toEqual((await plansAlone({ ...second, threads: 1 })).plans);
    const needed = new Set(
      plans.flatMap(({ plan: { displayNumber, forward, backward }, around }) => [
        ...[forward, backward].filter(from => from !== undefined).map(from => `${displayNumber} from ${from}`),
        ...around.map(({ reference, isReversed }) =>
          isReversed ? `${reference} from ${displayNumber}` : `${displayNumber} from ${reference}`,
        ),
      ]),
    );
    // Where searches have starts, each begins from one between neighbours.
    if (options.estimator === 'cpu-predictive') {
      for (let number = 1; number < FRAMES.length; number++) needed.add(`${number} from ${number - 1}`);
    }
    expect(plans.some(({ plan }) => plan.type === 'B')).toBe(true);
    expect(searchedHere + searchedThere).toBe(needed.size);
  });

  afterEach(() => {
    delete process.env.MPEGPU_TEST_LAST_ANCHOR;
    delete process.env.MPEGPU_TEST_LAST_ARRIVAL;
  });

  it.each([
    ['after anchor 0', 'ANCHOR', 0, 1],
    ['after anchor 8', 'ANCHOR', 8, 1],
    ['that others wait for, with picture 1', 'ARRIVAL', 1, 4],
    ['that others wait for, with picture 9', 'ARRIVAL', 9, 4],
  ])('are done without when one dies %s', async (_, kind, number, forArrivals) => {
    process.env[`MPEGPU_TEST_LAST_${kind}`] = String(number);
    const options = { estimator: 'cpu-predictive' };
    const died = await plansOf(options, { from: 0, searches: true, forArrivals, entry: DYING });
    expect(died.plans).toEqual((await plansAlone(options)).plans);
    expect(died.warnings).toEqual([expect.stringMatching(/^a thread that analyses pictures failed \(.* code: 3\)/)]);
  });
});
