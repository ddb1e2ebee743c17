// What a step takes for its own of what is in the store: the chunk of its plan and of its number, whole.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { chunkObject, type StepData } from '../../../src/farm/jobs/farm-step.js';
import { type ObjectStore, readWhole } from '../../../src/farm/places/object-store.js';
import { doChunk } from '../../../src/farm/steps/chunk-step.js';
import { makePlanOf } from '../../../src/farm/steps/plan-step.js';
import { StepContext } from '../../../src/farm/steps/step-context.js';
import { temporaryFolder } from '../../support/ffmpeg-clips.js';

/** With the rates of two plans: only one with a bit rate has a first pass, which its coding would need. */
const KINDS = [
  ['encode', { q: 4 }, { q: 5 }],
  ['measure', { bitrate: 50_000 }, { bitrate: 60_000 }],
] as const;
const root = temporaryFolder();
const context = new StepContext(
  { roots: { file: root }, scratch: join(root, 'scratch'), threads: 1 },
  { onProgress: () => {}, onWarning: () => {} },
);
const places = { input: 'file:film.y4m', output: 'file:out.mpg', store: 'file:store' };
const start = { version: '1', job: 'job', run: 'run', ...places };
let store: ObjectStore;

/** The steps of the chunks of a plan, two of five frames each. */
async function stepsOf(rate: { q: number } | { bitrate: number }): Promise<StepData[]> {
  const chunkSeconds = { min: 0.2, max: 0.2 };
  const options = { ...rate, estimator: 'zero', preset: 'fastest', gop: 5, chunkSeconds } as const;
  const request = { ...places, reading: {}, options, sound: { audio: 'none' }, overwrite: true } as const;
  const { plan, chunks } = await makePlanOf(request, context);
  expect(chunks).toBe(2);
  return Array.from({ length: chunks }, (_, index) => ({ ...start, plan, index }));
}

const bytesOf = (kind: 'encode' | 'measure', step: StepData) => readWhole(store, chunkObject(kind, step));

beforeAll(async () => {
  const frames = Array.from({ length: 10 }, (_, n) => `FRAME\n${String.fromCharCode(60 + 5 * n).repeat(384)}`);
  writeFileSync(join(root, 'film.y4m'), `YUV4MPEG2 W16 H16 F25:1 Ip A1:1 C420jpeg\n${frames.join('')}`);
  store = await context.places.store(places.store);
});
afterAll(() => context.close());

it.each(KINDS)('makes nothing again that is there: %s', async (kind, one) => {
  const [step] = await stepsOf(one);
  const made = await doChunk(kind, step!, context);
  expect(made).toMatchObject({ frames: 5, wasThere: false });
  expect(await doChunk(kind, step!, context)).toEqual({ ...made, wasThere: true, seconds: 0 });
});

it.each(KINDS)('makes anew what is of another chunk, of another plan, or damaged: %s', async (kind, one, another) => {
  const [step, next] = (await stepsOf(one)) as [StepData, StepData];
  const [other] = (await stepsOf(another)) as [StepData, StepData];
  for (const each of [step, next, other]) await doChunk(kind, each, context);
  const own = (await bytesOf(kind, step))!;
  const damaged = own.slice();
  damaged[damaged.length - 4]! ^= 1;
  for (const wrong of [await bytesOf(kind, next), await bytesOf(kind, other), damaged]) {
    expect(Buffer.compare(wrong!, own)).not.toBe(0);
    await store.put(chunkObject(kind, step), wrong!);
    expect(await doChunk(kind, step, context)).toMatchObject({ wasThere: false });
    expect(Buffer.compare((await bytesOf(kind, step))!, own)).toBe(0);
  }
});
