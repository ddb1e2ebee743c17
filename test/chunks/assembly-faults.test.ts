// Assembly in the middle of its work: it stops when it is aborted, and notices a single frame of another chunk.
import { beforeAll, expect, it } from 'vitest';
import { assembleChunks } from '../../src/chunks/assemble-chunks.js';
import { chunkInMemory, openChunk, writeChunk } from '../../src/chunks/chunk-format.js';
import { type ChunkPlan, chunkOf } from '../../src/chunks/chunk-plan.js';
import { allInOrder } from '../../src/chunks/chunk-set.js';
import type { ChunkSource } from '../../src/chunks/chunk-source.js';
import { encodeChunk } from '../../src/chunks/encode-chunk.js';
import { planChunks } from '../../src/chunks/plan-chunks.js';
import { InputError } from '../../src/errors.js';
import { type ByPlan, encodeByPlan, scenes, sourceOf } from './chunk-clips.js';

let whole: ByPlan;
let source: ChunkSource;
beforeAll(async () => {
  source = sourceOf(
    scenes(
      [
        ['pan', 6],
        ['snow', 6],
      ],
      { width: 32, height: 32 },
    ),
  );
  const plan = await planChunks(source, { q: 14, preset: 'fast', chunkSeconds: { min: 0.2, max: 0.24 } });
  whole = await encodeByPlan(source, plan);
  expect(whole.chunks).toHaveLength(2);
});

it('stops with the reason of the signal after the access unit that is being written', async () => {
  const aborter = new AbortController();
  let written = 0;
  const output = {
    write: async () => {
      if (++written === 3) aborter.abort(new Error('enough'));
    },
  };
  const { signal } = aborter;
  await expect(assembleChunks(whole.plan, whole.chunks, output, { signal })).rejects.toThrow('enough');
  expect(written).toBe(3);
});

it.each([
  ['its last frame is the first of the next chunk', 0, 1],
  ['its first frame is the last of the chunk before', 1, -1],
])('refuses a chunk where %s', async (_, index, step) => {
  const { bytes } = whole.chunks.find(chunk => chunk.index === index)!;
  const { firstFrame, frames } = chunkOf(whole.plan, index);
  const opened = await openChunk(chunkInMemory(bytes, 'whole'));
  const outermost = step > 0 ? firstFrame + frames - 1 : firstFrame;
  const pictures = opened.pictures.map(([type, frame, ...rest]) => {
    return [type, frame === outermost ? frame + step : frame, ...rest] as (typeof opened.pictures)[number];
  });
  expect(pictures).not.toEqual(opened.pictures);
  const forged = writeChunk({ plan: opened.plan, index, pictures }, await opened.accessUnits());
  const chunks = [chunkInMemory(forged, 'forged'), ...whole.chunks.filter(chunk => chunk.index !== index)];
  await expect(assembleChunks(whole.plan, chunks, { write: async () => {} })).rejects.toThrow(
    'forged does not hold the frames of its chunk: make the chunk again',
  );
});

it('refuses a chunk that lacks a picture', async () => {
  const { bytes, index } = whole.chunks[0]!;
  const { plan, pictures, accessUnits } = await openChunk(chunkInMemory(bytes, 'whole'));
  const forged = writeChunk({ plan, index, pictures: pictures.slice(0, -1) }, (await accessUnits()).slice(0, -1));
  const chunks = [chunkInMemory(forged, 'forged'), ...whole.chunks.slice(1)];
  await expect(assembleChunks(whole.plan, chunks, { write: async () => {} })).rejects.toThrow(
    'forged does not hold the frames of its chunk: make the chunk again',
  );
});

it('waits for who is told of a picture', async () => {
  const events: string[] = [];
  const onPicture = async ({ frame }: { frame: number }) => {
    events.push(`${frame} begins`);
    await new Promise(resolve => setImmediate(resolve));
    events.push(`${frame} ends`);
  };
  await assembleChunks(whole.plan, whole.chunks, { write: async () => {} }, { onPicture });
  expect(events).toHaveLength(24);
  for (let i = 0; i < events.length; i += 2) expect(events[i + 1]).toBe(events[i]!.replace('begins', 'ends'));
});

it.each([
  [2, 'chunks 0, 1 of 9 are missing'],
  [8, 'chunks 0, 1, 2, 3, 4, 5, 6, 7 of 9 are missing'],
  [9, 'chunks 0, 1, 2, 3, 4, 5, 6, 7 and 1 more of 9 are missing'],
])('lists %i missing chunks, eight at most', (count, message) => {
  const identity = 'of nine chunks';
  const parts = Array.from({ length: 9 }, (_, index) => ({ name: `${index}`, plan: identity, index }));
  const plan = { identity, chunks: parts } as unknown as ChunkPlan;
  expect(() => allInOrder(plan, parts.slice(count))).toThrow(message);
});

it('refuses an option that does not exist', async () => {
  const run: object = { onPictures: () => {} };
  await expect(assembleChunks(whole.plan, whole.chunks, { write: async () => {} }, run)).rejects.toMatchObject({
    name: 'OptionError',
    message: "the option 'onPictures' does not exist; did you mean onPicture?",
  });
});

it.each([null, {}, new Uint8Array(3)])('refuses what is no chunk: %o', async none => {
  const chunks = [...whole.chunks.slice(0, 1), none as never];
  await expect(assembleChunks(whole.plan, chunks, { write: async () => {} })).rejects.toMatchObject({
    name: 'InputError',
    message:
      'number 1 (the first is 0) of the chunks is not a chunk: give what encodeChunk returns, or chunkInMemory(bytes, name)',
  });
});

it('refuses chunks that were not awaited, and bytes that are none', async () => {
  const assembly = assembleChunks(whole.plan, Promise.resolve(whole.chunks) as never, { write: async () => {} });
  await expect(assembly).rejects.toThrow(/^the chunks are \{\}, not an array: give what encodeChunk returns, awaited$/);
  expect(() => chunkInMemory(new ArrayBuffer(8) as never, 'one')).toThrow(new InputError('one is no Uint8Array'));
});

it.each([null, 'out.mpg', {}])('refuses what takes no access units: %o', async none => {
  await expect(assembleChunks(whole.plan, whole.chunks, none as never)).rejects.toMatchObject({
    name: 'InputError',
    message: expect.stringMatching(/^the output is .*: VideoWriter\.open makes one$/),
  });
});

it.each([
  [{ signal: 'stop' }, "signal 'stop' is not an AbortSignal"],
  [{ onPicture: true }, 'onPicture true is not a function'],
  [{ onProgress: null }, 'onProgress null is not a function'],
])('a chunk and an assembly refuse %o by its name', async (run, message) => {
  const refused = { name: 'OptionError', option: Object.keys(run)[0], message };
  const coding = encodeChunk(source, whole.plan, 0, run as never);
  await expect(coding).rejects.toMatchObject(refused);
  if ('onProgress' in run) return;
  const assembly = assembleChunks(whole.plan, whole.chunks, { write: async () => {} }, run as never);
  await expect(assembly).rejects.toMatchObject(refused);
});
