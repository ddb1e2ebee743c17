// Source pictures in the memory that all parts of an encode share: how many places there are, and what has none.
import { describe, expect, it } from 'vitest';
import { generateSample } from '../../../samples/generate.js';
import { coderBytes } from '../../../src/encoder/coders/coders.js';
import { createSharedPictures } from '../../../src/encoder/coders/shared-pictures.js';
import { Encoder } from '../../../src/encoder/encoder.js';
import { SourcePictures } from '../../../src/encoder/gop/source-pictures.js';
import type { EncoderOptions } from '../../../src/encoder/options.js';
import { resolveOptions } from '../../../src/encoder/settings/resolve-options.js';
import { frameFromI420, i420Bytes } from '../../../src/picture/frame.js';

/** The places that an encode has, in the order in which they are taken, and their memory. */
function placesOf(
  size: { readonly width: number; readonly height: number },
  threads: number,
  estimator: EncoderOptions['estimator'] = 'cpu-predictive',
) {
  const settings = resolveOptions({ frameRate: 25, ...size, threads, estimator });
  const sources = new SourcePictures(settings.grid, threads > 1);
  const shared = createSharedPictures(settings, sources);
  const firsts = sources.free.map(({ first }) => first).reverse();
  return { settings, sources, shared, firsts };
}

describe('places of source pictures', () => {
  it('are there, but for one thread with an estimator that may not expect shared memory', () => {
    const size = { width: 80, height: 64 };
    const factory = () => Promise.reject(new Error('not called'));
    expect(placesOf(size, 1, factory).shared).toBeUndefined();
    expect(placesOf(size, 1, './module.js').shared).toBeUndefined();
    expect(placesOf(size, 1).firsts.length).toBeGreaterThan(20);
    expect(placesOf(size, 2, factory).firsts.length).toBeGreaterThan(20);
  });

  it('lie one after the other, before what the coders have', () => {
    const { shared, sources, firsts, settings } = placesOf({ width: 80, height: 64 }, 2);
    expect(firsts.length).toBeGreaterThan(20);
    expect(firsts).toEqual([...firsts].sort((a, b) => a - b));
    const { y, v } = sources.add(0, frameFromI420(80, 64, new Uint8Array(i420Bytes(80, 64)).fill(9)));
    expect([shared!.memory.addressOf(y), shared!.memory.u8[firsts[0]!]]).toEqual([firsts[0], 9]);
    expect(shared!.memory.addressOf(v) + v.length).toBeLessThanOrEqual(firsts[1]!);
    // The coders have the rest.
    expect(() => shared!.memory.allocate(coderBytes(settings) - 1000)).not.toThrow();
  });

  it('and all else can be addressed with the largest pictures', () => {
    const { shared, firsts } = placesOf({ width: 4095, height: 2800 }, 12);
    expect(shared!.memory.u8.length).toBeLessThan(2 ** 31);
    expect(firsts.length).toBeGreaterThan(0);
  });
});

it('pictures beyond the places are copied by the threads: the stream is the same', async () => {
  const size = { width: 80, height: 64 };
  const frames = [...generateSample({ kind: 'pan', ...size, frames: 120, seed: 5 })];
  const streamOf = async (threads: number) => {
    const encoder = new Encoder({ ...size, frameRate: 25, q: 6, threads, estimator: 'cpu-predictive' });
    const units: number[] = [];
    const taken = (async () => {
      for await (const { data } of encoder) units.push(...data);
    })();
    // Nobody waits until there is room.
    await Promise.all(frames.map(frame => encoder.add(frame)));
    await encoder.finish();
    await taken;
    return Uint8Array.from(units);
  };
  expect(placesOf(size, 3).firsts.length).toBeLessThan(frames.length);
  expect(await streamOf(3)).toEqual(await streamOf(1));
});
