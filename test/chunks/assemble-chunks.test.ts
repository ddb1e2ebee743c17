// Assembly: what it refuses, by name and before it writes; what it keeps in memory.
import { beforeAll, describe, expect, it } from 'vitest';
import { assembleChunks } from '../../src/chunks/assemble-chunks.js';
import { chunkInMemory, type StoredChunk } from '../../src/chunks/chunk-format.js';
import { hashOfBytes } from '../../src/chunks/content-hash.js';
import { planChunks } from '../../src/chunks/plan-chunks.js';
import { InputError } from '../../src/errors.js';
import { type ByPlan, encodeByPlan, scenes, sourceOf } from './chunk-clips.js';

const frames = scenes([
  ['pan', 20],
  ['snow', 20],
  ['zoom', 20],
]);
const PLAN = { q: 14, preset: 'fast', chunkSeconds: { min: 0.6, max: 1 } } as const;
let whole: ByPlan;
let stored: StoredChunk[];
beforeAll(async () => {
  whole = await encodeByPlan(sourceOf(frames), await planChunks(sourceOf(frames), PLAN));
  stored = whole.chunks.map(({ bytes, index }) => chunkInMemory(bytes, `c${index}.chunk`)).reverse();
  expect(stored).toHaveLength(3);
});

/** The bytes of a chunk with one bit changed. */
function withFault(index: number, at: (bytes: Uint8Array) => number): StoredChunk {
  const bytes = whole.chunks.find(chunk => chunk.index === index)!.bytes.slice();
  bytes[at(bytes)]! ^= 16;
  return chunkInMemory(bytes, `c${index}.chunk`);
}

/** The error of an assembly, and how many access units were written before it. */
async function failure(chunks: readonly StoredChunk[]): Promise<{ message: string; written: number }> {
  let written = 0;
  const output = { write: async () => void written++ };
  const error = await assembleChunks(whole.plan, chunks, output).catch(reason => reason);
  expect(error).toBeInstanceOf(InputError);
  return { message: error.message, written };
}

describe('assembly refuses', () => {
  it('missing chunks', async () => {
    expect(await failure([stored[2]!, stored[0]!])).toEqual({
      message: 'chunk 1 of 3 is missing (the first is 0): encode-chunk makes one',
      written: 0,
    });
    expect((await failure([])).message).toMatch(/^chunks 0, 1, 2 of 3 are missing/);
  });

  it('a chunk that is there twice', async () => {
    const again = { ...stored[1]!, name: 'again.chunk' };
    expect(await failure([...stored, again])).toEqual({
      message: 'chunk 1 is there twice: c1.chunk and again.chunk; one is needed',
      written: 0,
    });
  });

  it('a chunk of another plan', async () => {
    const other = await planChunks(sourceOf(frames), { ...PLAN, q: 15 });
    const { chunks } = await encodeByPlan(sourceOf(frames), other);
    const odd = chunkInMemory(chunks.find(({ index }) => index === 2)!.bytes, 'odd.chunk');
    const { message, written } = await failure([stored[0]!, stored[1]!, odd]);
    expect(message).toBe(`odd.chunk is of another plan (${other.identity}), not of this one (${whole.plan.identity})`);
    expect(written).toBe(0);
  });

  it('what is no chunk, or one of another version', async () => {
    const text = chunkInMemory(new TextEncoder().encode('{"format": "mpegpu first pass"}'), 'stats.json');
    expect((await failure([text])).message).toBe('stats.json is no chunk: encode-chunk makes one');
    expect((await failure([chunkInMemory(new Uint8Array(0), 'empty')])).message).toMatch(/^empty is no chunk/);
    const newer = withFault(0, () => 11);
    expect((await failure([newer])).message).toMatch(/c0\.chunk is a chunk of version 17/);
  });

  it('a damaged header, and a chunk that is not whole or too long, before it writes', async () => {
    const { bytes } = whole.chunks.find(({ index }) => index === 1)!;
    const faults = [
      withFault(1, () => 40),
      withFault(1, () => 12),
      withFault(1, () => 17),
      chunkInMemory(bytes.subarray(0, bytes.length - 1), 'c1.chunk'),
      chunkInMemory(bytes.subarray(0, 100), 'c1.chunk'),
      chunkInMemory(bytes.subarray(0, 13), 'c1.chunk'),
      chunkInMemory(Buffer.concat([bytes, Buffer.from([0])]), 'c1.chunk'),
    ];
    for (const fault of faults) {
      const { message, written } = await failure([stored[0]!, fault, stored[2]!]);
      expect(message).toMatch(/^c1\.chunk is damaged or not whole: make the chunk again/);
      expect(written).toBe(0);
    }
  });

  it('damaged access units', async () => {
    for (const at of [(bytes: Uint8Array) => bytes.length - 1, (bytes: Uint8Array) => bytes.length - 900, () => 21]) {
      const { message } = await failure([stored[0]!, withFault(1, at), stored[2]!]);
      expect(message).toMatch(/^c1\.chunk is damaged/);
    }
  });

  it('a chunk of other frames than the plan says', async () => {
    const { bytes } = whole.chunks.find(({ index }) => index === 0)!;
    const headerBytes = new DataView(bytes.buffer, bytes.byteOffset).getUint32(12);
    const header = JSON.parse(new TextDecoder().decode(bytes.subarray(24, 24 + headerBytes))) as { index: number };
    const json = new TextEncoder().encode(JSON.stringify({ ...header, index: 1 }));
    const forged = Buffer.concat([bytes.subarray(0, 24), json, bytes.subarray(24 + headerBytes)]);
    forged.writeUInt32BE(json.length, 12);
    forged.writeUInt32BE(hashOfBytes(json), 16);
    const { message } = await failure([stored[0]!, chunkInMemory(forged, 'forged'), stored[2]!]);
    expect(message).toBe('forged does not hold the frames of its chunk: make the chunk again');
  });
});

describe('assembly', () => {
  it('reads the access units of one chunk after another, each once', async () => {
    const read: string[] = [];
    const chunks = stored.map(chunk => ({
      ...chunk,
      read: (start: number, end: number) => {
        if (end === chunk.byteLength) read.push(chunk.name);
        return chunk.read(start, end);
      },
    }));
    const order: string[] = [];
    const output = { write: async () => void order.push(read.join(' ')) };
    await assembleChunks(whole.plan, chunks.reverse(), output);
    expect(read).toEqual(['c0.chunk', 'c1.chunk', 'c2.chunk']);
    // The last unit of a chunk is held back until the next chunk is there.
    expect(order.filter(known => known === 'c0.chunk')).toHaveLength(whole.plan.chunks[0]!.frames - 1);
  });

  it('tells of the pictures as the encode did', async () => {
    const pictures: number[] = [];
    const run = { onPicture: ({ bits }: { bits: number }) => void pictures.push(bits) };
    const video = await assembleChunks(whole.plan, stored, { write: async () => {} }, run);
    expect(pictures).toHaveLength(frames.length);
    expect(pictures.reduce((sum, bits) => sum + bits, 0) + 32).toBe(video.bits);
    expect(video.psnr.y).toBeGreaterThan(25);
    expect(video).toEqual(whole.video);
  });

  it('numbers access units through, in coded and in display order', async () => {
    const coded: number[] = [];
    const shown: number[] = [];
    await assembleChunks(whole.plan, stored, {
      write: async ({ codedNumber, displayNumber }) => {
        coded.push(codedNumber);
        shown.push(displayNumber);
      },
    });
    const all = frames.map((_, i) => i);
    expect(coded).toEqual(all);
    expect([...shown].sort((a, b) => a - b)).toEqual(all);
  });

  it('stops with the reason of the signal', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(assembleChunks(whole.plan, stored, { write: async () => {} }, { signal })).rejects.toThrow('enough');
  });
});
