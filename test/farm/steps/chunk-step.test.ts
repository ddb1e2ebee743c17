// What a step takes for its own of what is in the store, whole, and what it tells while it works.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { chunkObject, type StepData } from '../../../src/farm/jobs/farm-step.js';
import { type ObjectStore, readWhole } from '../../../src/farm/places/object-store.js';
import { doChunk } from '../../../src/farm/steps/chunk-step.js';
import type { StepProgress } from '../../../src/farm/steps/farm-task.js';
import { makeBudgetsOf, makePlanOf } from '../../../src/farm/steps/plan-step.js';
import { StepContext } from '../../../src/farm/steps/step-context.js';
import { temporaryFolder } from '../../support/ffmpeg-clips.js';

/** With the rates of two plans: only one with a bit rate has a first pass, which its coding would need. */
const KINDS = [
  ['encode', { q: 4 }, { q: 5 }],
  ['measure', { bitrate: 50_000 }, { bitrate: 60_000 }],
] as const;
const SIZE = { width: 16, height: 16 };
const CROP = { ...SIZE, x: 8, y: 0 };
const root = temporaryFolder();
const told: StepProgress[] = [];
const context = new StepContext(
  { roots: { file: root }, scratch: join(root, 'scratch'), threads: 1 },
  { onProgress: progress => void told.push(progress), onWarning: () => {} },
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
  expect(told.at(-1)).toEqual({ frames: 10, frame: 9 });
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
  await context.begin(kind, places.input);
  expect(context.frame).toBeUndefined();
  const made = await doChunk(kind, step!, context);
  expect(made).toMatchObject({ frames: 5, wasThere: false });
  expect(told.at(-1)).toEqual({ frames: 5, frame: 4 });
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

it('reads the input as the plan did, and has its shape', async () => {
  writeFileSync(join(root, 'film.yuv'), new Uint8Array(3 * 32 * 16 * 1.5).fill(90));
  const frameRate = { numerator: 24, denominator: 1 };
  const reading = { size: { width: 32, height: 16 }, frameRate, pictures: { crop: CROP, aspect: '4:3' } } as const;
  const request = { ...places, input: 'file:film.yuv', reading, options: { q: 4 }, sound: { audio: 'none' } } as const;
  const { plan } = await makePlanOf({ ...request, overwrite: true }, context);
  const step = { ...start, input: 'file:film.yuv', plan, index: 0 };
  const { input, options, source } = await context.planOf(step, store);
  expect([input, options.pelAspectRatio, source]).toMatchObject([{ ...SIZE, frameRate, frames: 3 }, 4, reading]);
  expect(await doChunk('encode', step, context)).toMatchObject({ frames: 3, wasThere: false });
});

it('budgets need the first pass of all chunks, and make another plan', async () => {
  const steps = await stepsOf({ bitrate: 70_000 });
  const budgets = () => makeBudgetsOf({ ...steps[0]!, sound: 'sound/a.mp2' }, context);
  await doChunk('measure', steps[0]!, context);
  await expect(budgets()).rejects.toThrow('the first pass of chunk 1 is not in the store: submit the job again');
  await doChunk('measure', steps[1]!, context);
  const planned = await budgets();
  expect(planned).toMatchObject({ chunks: 2, frames: 10, needsFirstPass: false, sound: 'sound/a.mp2' });
  expect(planned.plan).not.toBe(steps[0]!.plan);
  expect((await context.planOf({ ...steps[0]!, plan: planned.plan }, store)).identity).toBe(planned.plan);
});
