// Encodes that use the same threads and the same memory, one after the other.
import { afterAll, describe, expect, it } from 'vitest';
import { generateSample } from '../../../samples/generate.js';
import type { EncoderOptions } from '../../../src/encoder/options.js';
import { usedMemory } from '../../../src/kernels/kernel-memory.js';
import type { WasmMemoryType } from '../../../src/platform-types.js';
import { ThreadStock } from '../../../src/threads/node/thread-stock.js';
import { encodeFrames } from '../../support/encode.js';

/** Fills what an encode has left with other bytes, but for the constants of the kernels. */
class SpoilingStock extends ThreadStock {
  taken = 0;

  override takeMemory(bytes: number): WasmMemoryType | undefined {
    const memory = super.takeMemory(bytes);
    if (!memory) return undefined;
    this.taken++;
    new Uint8Array(memory.buffer, usedMemory(memory)!.start).fill(0xa5);
    return memory;
  }
}

const SIZE = { width: 96, height: 80 };
const FRAMES = [...generateSample({ kind: 'pan', ...SIZE, frames: 16, seed: 3 })];
const keeper = new SpoilingStock();
const keptThreads = { keeper };
afterAll(() => keeper.close());

const OPTIONS: readonly (readonly [string, Partial<EncoderOptions>])[] = [
  ['a scale', { q: 5 }],
  ['a fixed pattern', { q: 5, preset: 'fastest' }],
  ['rows coded again', { quality: 60, preset: 'smallest' }],
  ['a bit rate', { bitrate: 200_000 }],
  ['a module', { q: 5, estimator: 'cpu-log', threads: 2 }],
  ['a slow search', { q: 5, estimator: 'cpu-full' }],
];

describe('encodes one after the other give the bytes that each gives by itself', () => {
  const streams = new Map<string, Uint8Array>();

  // Each is done again with threads and memory of any of the others.
  it.each([...OPTIONS, ...OPTIONS])('%s', async (name, given) => {
    // As long as that, all threads start at once.
    const options = { ...SIZE, estimator: 'cpu-predictive', expectedFrames: 100_000, threads: 4, ...given } as const;
    const alone = streams.get(name) ?? (await encodeFrames(FRAMES, { ...options, threads: 1 })).stream;
    streams.set(name, alone);
    const again = await encodeFrames(FRAMES, { ...options, keptThreads });
    expect(again.stream).toEqual(alone);
  });

  it('and memory was used again', () => expect(keeper.taken).toBeGreaterThan(5));

  it.each(['balanced', 'smallest'] as const)('that of a first pass does for the second: %s', async preset => {
    const stock = new SpoilingStock();
    const options = { ...SIZE, estimator: 'cpu-predictive', expectedFrames: 100_000, threads: 4 } as const;
    const passes = { ...options, preset, bitrate: 200_000, keptThreads: { keeper: stock } };
    await encodeFrames(FRAMES, { ...passes, isFirstPass: true });
    expect(stock.taken).toBe(0);
    await encodeFrames(FRAMES, passes);
    expect(stock.taken).toBe(1);
    await stock.close();
  });

  it('also after one that was aborted', async () => {
    const options = { ...SIZE, estimator: 'cpu-predictive', expectedFrames: 100_000, threads: 4 } as const;
    const abort = new AbortController();
    const onPicture = () => abort.abort(new Error('enough'));
    const aborted = encodeFrames(FRAMES, { ...options, keptThreads, signal: abort.signal, onPicture });
    await expect(aborted).rejects.toThrow('enough');
    const again = await encodeFrames(FRAMES, { ...options, keptThreads });
    expect(again.stream).toEqual((await encodeFrames(FRAMES, options)).stream);
  });
});
