// What a step takes from the store and from the queue, whoever has written there.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ChunkPlan, makePlan } from '../../../src/chunks/chunk-plan.js';
import { planChunks } from '../../../src/chunks/plan-chunks.js';
import { planObject, type StepData } from '../../../src/farm/jobs/farm-step.js';
import { StepContext } from '../../../src/farm/steps/step-context.js';
import { scenes, sourceOf } from '../../chunks/chunk-clips.js';

const root = mkdtempSync(join(tmpdir(), 'farm-steps-'));
const machine = { roots: { file: root }, scratch: join(root, 'scratch') };
const listener = { onProgress: () => {}, onWarning: () => {} };
const step = { version: '1', job: 'job', run: 'run', input: 'file:in', output: 'file:out', store: 'file:store' };
let plan: ChunkPlan;

beforeAll(async () => {
  plan = await planChunks(sourceOf(scenes([['pan', 4]])), { q: 4 });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Reads a plan as a step does that finds it under a name. */
async function readAs(name: string, kept: unknown): Promise<ChunkPlan> {
  const context = new StepContext(machine, listener);
  const store = await context.places.store(step.store);
  await store.put(planObject(name), new TextEncoder().encode(JSON.stringify(kept)));
  return context.planOf({ ...step, plan: name } satisfies StepData, store);
}

it('takes a plan as it was made', async () => {
  expect((await readAs(plan.identity, plan)).identity).toBe(plan.identity);
});

it.each([
  ['a module as the estimator', { estimator: './search.mjs' }, /is a module of this machine/],
  ['a worker of its own', { workerUrl: 'file:///tmp/worker.mjs' }, /workerUrl is no part of a plan/],
  ['kernels of its own', { kernelsUrl: 'file:///tmp/kernels.wasm' }, /kernelsUrl is no part of a plan/],
  ['an option that does not exist', { command: 'sh' }, /'command' does not exist/],
])('refuses a plan with %s, although its identity fits', async (_, options, message) => {
  const forged = makePlan({ ...plan, options: { ...plan.options, ...options } });
  await expect(readAs(forged.identity, forged)).rejects.toThrow(message);
});

it('refuses a plan under the name of another one, and one that is not there', async () => {
  await expect(readAs('0123456789abcdef', plan)).rejects.toThrow(/holds another plan/);
  const context = new StepContext(machine, listener);
  const store = await context.places.store(step.store);
  await expect(context.planOf({ ...step, plan: 'gone' }, store)).rejects.toThrow(/gone\.json is not in the store/);
});

it('watches a source as it is, and tells which frame was read last', async () => {
  const told: number[] = [];
  const context = new StepContext(machine, { ...listener, onProgress: ({ frame }) => void told.push(frame) });
  const source = { ...sourceOf(scenes([['pan', 4]])), seeksRoughly: true };
  const { frames, ...facts } = context.watched(source as never);
  const { name, width, height, frameRate, seeksRoughly } = source;
  expect(facts).toEqual({ name, width, height, frameRate, seeksRoughly });
  for await (const _ of frames({ first: 2, count: 2 } as never));
  expect([context.frame, told]).toEqual([3, [2, 3]]);
});

it('refuses pictures that are no numbers, and leaves out what no reading has', async () => {
  writeFileSync(join(root, 'raw.yuv'), new Uint8Array(96));
  const context = new StepContext(machine, listener);
  const read = (pictures: object) =>
    context.source('file:raw.yuv', { size: { width: 8, height: 8 }, pictures: pictures as never });
  const crop = { width: '8:8,movie=secret', height: 8, x: 0, y: 0 };
  await expect(read({ crop })).rejects.toThrow(/crop 8:8,.* is no part of a picture/);
  await expect(read({ background: 'black,movie=secret' })).rejects.toThrow(/background/);
  const source = await read({ start: { frame: 7 } });
  expect([source.width, source.frameCount]).toEqual([8, 1]);
  // Another reading of the same file is another source.
  const again = (width: number) => context.source('file:raw.yuv', { size: { width, height: 8 } });
  const other = await again(4);
  expect([other.width, other.frameCount, (await again(4)) === other, (await again(8)) === other]).toEqual([
    4,
    2,
    true,
    false,
  ]);
  await context.close();
});
