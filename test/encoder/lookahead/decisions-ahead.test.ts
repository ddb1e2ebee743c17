// How many decisions threads that analyse pictures are asked about ahead: more where a GPU gives them the fields.
import { expect, it } from 'vitest';
import { generateSample } from '../../../samples/generate.js';
import type { BetweenFindings, PictureAnalysis } from '../../../src/encoder/lookahead/analysis/picture-analysis.js';
import { PicturePlanner } from '../../../src/encoder/lookahead/picture-planner.js';
import type { MotionSearch } from '../../../src/encoder/motion/motion-search.js';
import { resolveOptions } from '../../../src/encoder/settings/resolve-options.js';
import { pictureFromFrame } from '../../../src/picture/picture.js';

const SIZE = { width: 32, height: 32 };
const FRAMES = [...generateSample({ kind: 'pan', ...SIZE, frames: 30, seed: 1 })];
/** Turns of the event loop in which all is asked that is: one is enough. */
const TURNS = 100;

/** The last anchor after which such threads are asked, while they say nothing of what lies between anchors. */
async function lastAskedAnchor(estimator: string, searches: boolean): Promise<number> {
  const settings = resolveOptions({ ...SIZE, frameRate: 25, threads: 1, q: 6, gop: 60, estimator });
  // Nobody reads the fields here.
  const motion = { searchesAhead: true, usesStart: async () => false, search: async () => ({}) };
  const planner = await PicturePlanner.create(settings, motion as unknown as MotionSearch);
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
  planner.analyseBy(analysis);
  for (const [id, frame] of FRAMES.entries()) void planner.plan(pictureFromFrame(id, frame, settings.grid));
  for (let turn = 0; turn < TURNS; turn++) await new Promise(setImmediate);
  return last;
}

// At the start of a scene anchors are two pictures apart.
it.each([
  ['cpu-predictive', true, 4],
  ['gpu-mrmp', false, 16],
  ['auto', false, 16],
  ['auto', true, 4],
  ['./module.mjs', false, 4],
])('%s, threads that search: %s; anchor %i', async (estimator, searches, expected) => {
  expect(await lastAskedAnchor(estimator, searches)).toBe(expected);
});
