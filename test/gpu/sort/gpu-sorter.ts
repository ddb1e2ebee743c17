// The sort on the GPU equals its definition, bit for bit, and leaves alone what it is not asked to sort.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OptionError, UnsupportedError } from '../../../src/errors.js';
import { BUFFER_USAGE, createFilledBuffer, MAP_MODE } from '../../../src/gpu/device/buffers.js';
import type { GpuSorter } from '../../../src/gpu/sort/gpu-sorter.js';
import { createGpuSorter, sortOnGpu } from '../../../src/gpu/sort/open-sorter.js';
import { type SortedItems, sortItems } from '../../../src/gpu/sort/sort-items.js';
import { seededRandom } from '../pictures.js';
import { RUNS_WHOLE_GRID } from '../test-gpu.js';
import { shared } from './shared-gpu.js';

let sorter: GpuSorter;
beforeAll(async () => {
  sorter = await createGpuSorter({ gpu: shared });
});
afterAll(() => sorter.close());

const MAX = 0xffffffff;

/** Keys of a length; `at` is the item, `random` gives numbers 0..1. */
const KINDS: Record<string, (at: number, length: number, random: () => number) => number> = {
  random: (_at, _length, random) => 2 ** 32 * random(),
  // Few different keys: the values decide the order.
  few: (_at, _length, random) => 3 * random(),
  equal: () => 7,
  sorted: at => 2 * at,
  reversed: (at, length) => 5 * (length - at),
  // What could be taken for padding.
  extremes: (_at, _length, random) => (random() < 0.5 ? 0 : MAX),
};

function itemsOf(kind: string, length: number) {
  const random = seededRandom(length + kind.length);
  const keys = Uint32Array.from({ length }, (_, at) => KINDS[kind](at, length, random));
  const values = Uint32Array.from({ length }, () => (kind === 'extremes' && random() < 0.5 ? MAX : 2 ** 32 * random()));
  return { keys, values };
}

/** As `toEqual`, which is slow for long arrays. */
function expectItems(actual: SortedItems, expected: SortedItems, kind: string): void {
  for (const part of ['keys', 'values'] as const) {
    expect(actual[part]?.length, kind).toBe(expected[part]?.length);
    const wrong = actual[part]?.findIndex((word, at) => word !== expected[part]?.[at]) ?? -1;
    expect(wrong, `${kind}: the first of the ${part} that differs`).toBe(-1);
  }
}

const LENGTHS = [0, 1, 2, 3, 255, 256, 257, 2048, 4095, 4097, 65_537, ...(RUNS_WHOLE_GRID ? [300_001, 2 ** 20] : [])];

describe('sort', () => {
  it.each(LENGTHS)('of %i items equals its definition', async length => {
    // Several sorts are under way at once.
    await Promise.all(
      Object.keys(KINDS)
        .filter(kind => length < 60_000 || RUNS_WHOLE_GRID || kind === 'few')
        .map(async kind => {
          const { keys, values } = itemsOf(kind, length);
          const [given, before] = [keys.slice(), values.slice()];
          const both = sorter.sort(keys, values);
          expectItems(await sorter.sort(keys), sortItems(given), kind);
          expectItems(await both, sortItems(given, before), kind);
          expectItems({ keys, values }, { keys: given, values: before }, `${kind}, as given`);
        }),
    );
  });

  it('of any items equals its definition', async () => {
    const word = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constant(MAX), fc.integer({ min: 0, max: MAX }));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(word, word), { maxLength: 700, size: 'max' }), async items => {
        const keys = Uint32Array.from(items, ([key]) => key);
        const values = Uint32Array.from(items, ([, value]) => value);
        expect(await sorter.sort(keys, values)).toEqual(sortItems(keys, values));
      }),
      { numRuns: 15 },
    );
  });

  it('takes arrays that are part of a buffer, or lie on a SharedArrayBuffer', async () => {
    const { keys, values } = itemsOf('random', 300);
    const shared = new Uint32Array(new SharedArrayBuffer(1200));
    shared.set(keys);
    expect(await sorter.sort(shared, values)).toEqual(sortItems(keys, values));
    expect(await sorter.sort(keys.subarray(7, 200), values.subarray(100, 293))).toEqual(
      sortItems(keys.slice(7, 200), values.slice(100, 293)),
    );
  });

  it('refuses lengths that differ, and what the GPU cannot hold', async () => {
    const error = await sortOnGpu(new Uint32Array(3), new Uint32Array(2), { gpu: shared }).catch(reason => reason);
    expect(error).toBeInstanceOf(OptionError);
    expect(error.message).toBe('there are 2 values; legal: one for each of 3 keys');
    const keys = sorter.device.createBuffer({ size: 64, usage: BUFFER_USAGE.storage });
    expect(() => sorter.createPasses({ keys, length: 17 })).toThrow('keys is a buffer of 64 bytes; legal: 4 for each');
    for (const length of [-1, 0.5, sorter.maxItems + 1]) {
      expect(() => sorter.createPasses({ keys, length })).toThrow(OptionError);
    }
    keys.destroy();
  });

  it('refuses what is no Uint32Array', async () => {
    const three = new Uint32Array(3);
    const others = { Uint16Array: new Uint16Array(3), Array: [3, 1, 2], String: '321', Null: null };
    for (const [words, other] of Object.entries(others)) {
      const wrong = other as unknown as Uint32Array;
      const errorOf = (option: string) =>
        new OptionError(option, `${option} is of type ${words}; legal: a Uint32Array`);
      await expect(sortOnGpu(wrong, undefined, { gpu: shared })).rejects.toThrow(errorOf('keys'));
      await expect(sorter.sort(wrong)).rejects.toThrow(errorOf('keys'));
      await expect(sorter.sort(three, wrong)).rejects.toThrow(errorOf('values'));
    }
  });

  it('refuses options that are none', async () => {
    for (const [options, words] of [
      [null, 'the options are null, not an object'],
      [{ devcie: {} }, "the option 'devcie' does not exist; did you mean device?"],
      [{ device: {} }, 'device is object: one with createBuffer() is needed'],
      [{ gpu: 'webgpu' }, 'gpu is string: one with requestAdapter() is needed'],
    ] as const) {
      await expect(createGpuSorter(options as never)).rejects.toMatchObject({ name: 'OptionError', message: words });
    }
  });

  it('needs a GPU, and an open sorter', async () => {
    const none = { requestAdapter: async () => null } as unknown as GPU;
    await expect(sortOnGpu(new Uint32Array(2), undefined, { gpu: none })).rejects.toThrow(UnsupportedError);
    const other = await createGpuSorter({ gpu: shared });
    await other.close();
    await other.close();
    await expect(other.sort(new Uint32Array(2))).rejects.toThrow('the sorter is closed');
  });

  it('opens and closes a GPU of its own for one call', async () => {
    const { keys, values } = itemsOf('few', 100);
    expect(await sortOnGpu(keys, values, { gpu: shared })).toEqual(sortItems(keys, values));
  });
});

describe('passes that sort buffers on the GPU', () => {
  const { storage, copySource, copyTarget, mapRead } = BUFFER_USAGE;

  /** The words of a buffer. */
  async function wordsOf(buffer: GPUBuffer): Promise<Uint32Array> {
    const { device } = sorter;
    const target = device.createBuffer({ size: buffer.size, usage: copyTarget | mapRead });
    const encoder = device.createCommandEncoder();
    encoder.copyBufferToBuffer(buffer, 0, target, 0, buffer.size);
    device.queue.submit([encoder.finish()]);
    await target.mapAsync(MAP_MODE.read);
    const words = new Uint32Array(target.getMappedRange()).slice();
    target.destroy();
    return words;
  }

  it.each([1, 100, 2049, 5000])('sort the first %i items in place, again and again', async length => {
    const { device } = sorter;
    const { keys, values } = itemsOf('few', length + 300);
    const own = (words: Uint32Array) => createFilledBuffer(device, 'own', storage | copySource | copyTarget, words);
    const [keyBuffer, valueBuffer] = [own(keys), own(values)];
    const passes = sorter.createPasses({ keys: keyBuffer, values: valueBuffer, length });
    expect(passes.length).toBe(length);
    for (const shift of [0, 1]) {
      device.queue.writeBuffer(
        keyBuffer,
        0,
        keys.map(key => key + shift),
      );
      device.queue.writeBuffer(valueBuffer, 0, values);
      const encoder = device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      passes.record(pass);
      pass.end();
      device.queue.submit([encoder.finish()]);
      const expected = sortItems(keys.map(key => key + shift).slice(0, length), values.slice(0, length));
      const [sortedKeys, sortedValues] = [await wordsOf(keyBuffer), await wordsOf(valueBuffer)];
      expect(sortedKeys.slice(0, length)).toEqual(expected.keys);
      expect(sortedValues.slice(0, length)).toEqual(expected.values);
      // What lies behind the items is as it was.
      expect(sortedKeys.slice(length)).toEqual(keys.map(key => key + shift).slice(length));
      expect(sortedValues.slice(length)).toEqual(values.slice(length));
    }
    passes.destroy();
    for (const buffer of [keyBuffer, valueBuffer]) buffer.destroy();
  });
});
