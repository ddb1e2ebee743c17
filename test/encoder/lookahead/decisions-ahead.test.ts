// How many decisions threads that analyse pictures are asked about ahead: more where a GPU gives them the fields.
import { expect, it } from 'vitest';
import { generateSample } from '../../../samples/generate.js';
import type { BetweenFindings, PictureAnalysis } from '../../../src/encoder/lookahead/analysis/picture-analysis.js';
import { createLookaheadHere } from '../../../src/encoder/lookahead/lookahead.js';
import { resolveOptions } from '../../../src/encoder/settings/resolve-options.js';
import { pictureFromFrame } from '../../../src/picture/picture.js';

const SIZE = { width: 32, height: 32 };
const FRAMES = [...generateSample({ kind: 'pan', ...SIZE, frames: 30, seed: 1 })];
/** Turns of the event loop in which all is asked that is: one is enough. */
const TURNS = 100;

/** The last anchor after which such threads are asked, while they say nothing of what lies between anchors. */
async function lastAskedAnchor(searches: boolean): Promise<number> {
  const settings = resolveOptions({ ...SIZE, frameRate: 25, threads: 1, q: 6, gop: 60, estimator: 'zero' });
  const { planner, motion } = await createLookaheadHere(settings, {});
  let last = 0;
  const analysis: PictureAnalysis = {
    searches,
    work: { busyMs: 0, pictures: 0 },
    oldestRead: 0,
    arrival: async () => ({
      costs: { intra: new Uint16Array(4).fill(5000), intraTotal: 20_000, flattest: 1, mean: 128 },
      step: undefined,
    }),
    between: ({ past }) => {
      last = Math.max(last, past.id);
      return new Promise<BetweenFindings>(() => {});
    },
  };
  await motion.ready();
  planner.analyseBy(analysis);
  for (const [id, frame] of FRAMES.entries()) void planner.plan(pictureFromFrame(id, frame, settings.grid));
  for (let turn = 0; turn < TURNS; turn++) await new Promise(setImmediate);
  await motion.close();
  return last;
}

// At the start of a scene anchors are two pictures apart.
it.each([
  [true, 4],
  [false, 16],
])('threads that search: %s; anchor %i', async (searches, expected) => {
  expect(await lastAskedAnchor(searches)).toBe(expected);
});
