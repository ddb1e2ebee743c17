// Rate control is told of each picture once, in coded order, when it has its type.
import { expect, it } from 'vitest';
import { generateSample } from '../../../samples/generate.js';
import { createLookaheadHere } from '../../../src/encoder/lookahead/lookahead.js';
import type { ForecastPicture } from '../../../src/encoder/lookahead/picture-planner.js';
import type { EncoderOptions } from '../../../src/encoder/options.js';
import { picturesAhead } from '../../../src/encoder/settings/pictures-ahead.js';
import { TREE_DEPTH } from '../../../src/encoder/settings/presets.js';
import { resolveOptions } from '../../../src/encoder/settings/resolve-options.js';
import { pictureBytes, pictureFromFrame } from '../../../src/picture/picture.js';

const SIZE = { width: 64, height: 48 };
const PICTURES = 40;

/** The results of the plans of all pictures; as many as may be are asked for at a time. */
async function planAll(options: Partial<EncoderOptions>) {
  const settings = resolveOptions({ ...SIZE, frameRate: 25, threads: 1, estimator: 'cpu-predictive', ...options });
  const { grid } = settings;
  const { planner, motion } = await createLookaheadHere(settings, {});
  const asked: Promise<ForecastPicture[]>[] = [];
  for (const frame of generateSample({ kind: 'pan', ...SIZE, frames: PICTURES, seed: 4 })) {
    const picture = pictureFromFrame(asked.length, frame, grid, new ArrayBuffer(pictureBytes(grid)));
    asked.push(planner.plan(picture));
    await asked.at(-picturesAhead(settings, false));
  }
  const results = await Promise.all([...asked, planner.end()]);
  await motion.close();
  return results;
}

it.each([
  ['a fixed pattern', { adaptiveTypes: false }, 0],
  ['chosen types', {}, TREE_DEPTH],
])('of %s', async (_, options, ahead) => {
  const results = await planAll({ bitrate: 100_000, ...options });
  const typed: number[] = [];
  const planned: number[] = [];
  for (const pictures of results) {
    typed.push(...pictures.flatMap(picture => picture.typed.map(({ codedNumber }) => codedNumber)));
    planned.push(...pictures.map(({ plan }) => plan.codedNumber));
    if (pictures.length > 0) expect(typed.length).toBeGreaterThanOrEqual(Math.min(PICTURES, planned.length + ahead));
  }
  const inCodedOrder = Array.from({ length: PICTURES }, (_picture, codedNumber) => codedNumber);
  expect([typed, planned]).toEqual([inCodedOrder, inCodedOrder]);
});

it('tells of none where there is no bit rate', async () => {
  const results = await planAll({ q: 4 });
  expect(results.flat().flatMap(({ typed }) => typed)).toEqual([]);
});
