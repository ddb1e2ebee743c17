// The search of a pattern against its definition, planted places, sizes and mistakes.
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { InputError, OptionError, UnsupportedError } from '../../src/errors.js';
import { createCpuFinder } from '../../src/pattern/cpu-finder.js';
import { asGray } from '../../src/pattern/gray-image.js';
import { readPattern } from '../../src/pattern/pattern.js';
import { createPatternSearch, FinderSearch, locatePattern } from '../../src/pattern/pattern-search.js';
import type { PelImage } from '../../src/pattern/pel-image.js';
import type { PlaceFinder } from '../../src/pattern/place-finder.js';
import { largestSum } from '../../src/pattern/tolerance.js';
import { IS_SOAK } from '../support/soak.js';
import { allPlaces, bestOf, noiseImage, plant } from './pattern-images.js';

const cpu = { device: 'cpu' } as const;
const corners = ({ width, height }: PelImage, { width: w, height: h }: PelImage): (readonly [number, number])[] => [
  [0, 0],
  [width - w, 0],
  [0, height - h],
  [width - w, height - h],
];
const at = (places: readonly { readonly x: number; readonly y: number }[]) => places.map(({ x, y }) => [x, y]);

describe('a pattern search', () => {
  it('is what its definition says, in all kinds of images', async () => {
    const channels = fc.constantFrom(1, 2, 3, 4) as fc.Arbitrary<PelImage['channels']>;
    const side = fc.integer({ min: 1, max: 9 });
    await fc.assert(
      fc.asyncProperty(
        fc.record({ width: side, height: side, channels }),
        fc.record({ width: fc.integer({ min: 9, max: 40 }), height: fc.integer({ min: 9, max: 20 }), channels }),
        fc.constantFrom(0, 20, 60, 84.5, 255),
        fc.nat(),
        async (pattern, picture, tolerance, seed) => {
          const [what, where] = [noiseImage(pattern, seed), noiseImage(picture, seed + 1)];
          const expected = allPlaces(what, where).filter(({ error }) => error <= tolerance);
          expect(await locatePattern(what, where, { ...cpu, tolerance })).toEqual(bestOf(expected, what));
        },
      ),
      { numRuns: IS_SOAK ? 2000 : 60, seed: 4 },
    );
  });

  it.each([1, 3] as const)('finds boxes of %i components in the corners, side by side and alone', async channels => {
    const pattern = noiseImage({ width: 16, height: 16, channels }, 1);
    const picture = noiseImage({ width: 130, height: 90, channels }, 2);
    const places = [...corners(picture, pattern), [40, 30], [56, 30], [56, 46]] as const;
    for (const [x, y] of places) plant(pattern, picture, x, y);
    const found = await locatePattern(pattern, picture, cpu);
    expect(found.every(({ error }) => error === 0)).toBe(true);
    expect(at(found).sort()).toEqual([...places].sort());
    expect(at(found)).toEqual([...at(found)].sort(([ax, ay], [bx, by]) => ay - by || ax - bx));
  });

  it('tells a million places and refuses more', async () => {
    const flat = (width: number, height: number): PelImage => {
      return { width, height, channels: 1, pels: new Uint8Array(width * height) };
    };
    expect((await locatePattern(flat(1, 1), flat(1000, 1000), cpu)).length).toBe(1_000_000);
    const more = locatePattern(flat(1, 1), flat(2500, 401), cpu);
    await expect(more).rejects.toThrow(InputError);
    await expect(more).rejects.toThrow(/more than 1000000 places of a picture; lower the tolerance, or use a larger/);
    // Of places that overlap those alone count that are told.
    expect((await locatePattern(flat(16, 16), flat(2500, 420), cpu)).length).toBeLessThan(20_000);
  });

  it('compares what is opaque alone', async () => {
    const pattern = noiseImage({ width: 20, height: 12, channels: 4 }, 5);
    const picture = noiseImage({ width: 64, height: 48, channels: 3 }, 6);
    plant(pattern, picture, 11, 7);
    expect(await locatePattern(pattern, picture, { ...cpu, tolerance: 0 })).toEqual([{ x: 11, y: 7, error: 0 }]);
    const pels = pattern.pels.map((value, i) => (i % 4 === 3 ? 255 : value));
    expect(await locatePattern({ ...pattern, pels }, picture, { ...cpu, tolerance: 10 })).toEqual([]);
  });

  it('says the same of gray images as of the same ones in colour', async () => {
    const gray = { pattern: noiseImage({ width: 7, height: 5, channels: 2 }, 7), picture: noise(40, 30, 1, 8) };
    const inColour = ({ width, height, channels, pels }: PelImage): PelImage => {
      const alpha = (pel: number) => (channels === 2 ? [pels[2 * pel + 1]] : []);
      const wide = Array.from({ length: width * height }, (_, pel) => {
        const value = pels[pel * channels];
        return [value, value, value, ...alpha(pel)];
      });
      return { width, height, channels: channels === 2 ? 4 : 3, pels: Uint8Array.from(wide.flat()) };
    };
    const options = { ...cpu, tolerance: 70 };
    const places = await locatePattern(gray.pattern, gray.picture, options);
    expect(places.length).toBeGreaterThan(3);
    const [pattern, picture] = [inColour(gray.pattern), inColour(gray.picture)];
    for (const what of [gray.pattern, pattern]) {
      for (const where of [gray.picture, picture]) expect(await locatePattern(what, where, options)).toEqual(places);
    }
    expect(asGray(pattern)).toEqual(gray.pattern);
    expect(asGray(picture)).toEqual(gray.picture);
    const coloured = noise(4, 4, 3, 1);
    expect(asGray(coloured)).toBe(coloured);
  });

  it('finds the places of a picture of 7 million pels', async () => {
    const picture: PelImage & { pels: Uint8Array } = { ...noise(64, 64, 1, 2), width: 3240, height: 2160 };
    const tile = picture.pels;
    picture.pels = Uint8Array.from({ length: 3240 * 2160 }, (_, i) => (tile[i % 4093] + (i >> 12)) & 255);
    const pattern = noise(16, 16, 1, 3);
    const places = [...corners(picture, pattern), [1234, 567]] as const;
    for (const [x, y] of places) plant(pattern, picture, x, y);
    const found = await locatePattern(pattern, picture, cpu);
    expect(at(found).sort()).toEqual([...places].sort());
  });

  it('tolerates noise and the artefacts of JPEG by default', async () => {
    const pattern = await smooth(24, 24, 50);
    const picture = await smooth(320, 200, 51);
    const places = [...corners(picture, pattern), [101, 67]] as const;
    for (const [x, y] of places) plant(pattern, picture, x, y);
    const raw = { width: 320, height: 200, channels: 3 } as const;
    const jpeg = await sharp(picture.pels, { raw }).jpeg({ quality: 75 }).toBuffer();
    const noisy = noise(320, 200, 3, 9).pels.map((value, i) => picture.pels[i] + (value % 25) - 12);
    for (const pels of [await sharp(jpeg).raw().toBuffer(), noisy]) {
      const found = await locatePattern(pattern, { ...raw, pels: Uint8Array.from(pels) }, cpu);
      expect(at(found).sort()).toEqual([...places].sort());
      expect(found.every(({ error }) => error > 0)).toBe(true);
    }
  });

  it('takes pictures of any sizes, one after the other, from calls at the same time', async () => {
    const pattern = noise(5, 4, 3, 1);
    const search = await createPatternSearch(pattern, { ...cpu, tolerance: 70 });
    const pictures = [noise(30, 20, 3, 2), noise(5, 4, 3, 3), noise(30, 20, 3, 4), noise(18, 44, 4, 5)];
    const found = await Promise.all(pictures.map(picture => search.search(picture)));
    expect(found).toEqual(
      pictures.map(picture =>
        bestOf(
          allPlaces(pattern, picture).filter(({ error }) => error <= 70),
          pattern,
        ),
      ),
    );
    await expect(search.search(noise(4, 4, 3, 1))).rejects.toThrow(InputError);
    expect(await search.search(pictures[0])).toEqual(found[0]);
    await search.close();
  });
});

it('auto takes a GPU or says why there is none, and finds the same', async () => {
  const [pattern, picture] = [noise(5, 4, 3, 1), noise(30, 20, 3, 2)];
  const search = await createPatternSearch(pattern, { tolerance: 70 });
  const { device, passedOver } = search;
  if (/^CPU/.test(device)) expect(passedOver).toEqual([{ name: 'gpu', reason: expect.stringMatching(/./) }]);
  else expect(passedOver).toEqual([]);
  expect(await search.search(picture)).toEqual(await locatePattern(pattern, picture, { ...cpu, tolerance: 70 }));
  await search.close();
});

describe('a finder that fails', () => {
  it('is replaced by the CPU, which is told once', async () => {
    const pattern = readPattern(noise(5, 4, 3, 1));
    const setup = { pattern, tolerance: 70 };
    let closed = 0;
    const broken: PlaceFinder = {
      device: 'a test',
      find: async () => {
        throw new UnsupportedError('gpu: it is broken');
      },
      close: async () => void closed++,
    };
    const warnings: string[] = [];
    const search = new FinderSearch(setup, broken, [], message => warnings.push(message));
    const picture = noise(30, 20, 3, 2);
    const expected = await new FinderSearch(setup, await createCpuFinder(setup), []).search(picture);
    expect(await search.search(picture)).toEqual(expected);
    expect(await search.search(picture)).toEqual(expected);
    expect(warnings).toEqual(['gpu: it is broken; the CPU goes on in its place, with the same result']);
    expect([closed, search.device]).toEqual([1, 'CPU, WebAssembly SIMD']);
  });
});

describe('mistakes', () => {
  const picture = noise(8, 8, 3, 1);
  const pattern = noise(4, 4, 3, 2);
  it.each<[string, () => Promise<unknown>, typeof OptionError | typeof InputError, RegExp]>([
    ['a pattern that is too large', () => locatePattern(noise(65, 1, 1, 1), picture), InputError, /65x1; .*64x64/],
    ['one larger than the picture', () => locatePattern(noise(9, 2, 1, 1), picture), InputError, /9x2.*8x8/],
    [
      'a transparent one',
      () => locatePattern({ ...pattern, channels: 4, pels: new Uint8Array(64) }, picture),
      InputError,
      /wholly transparent/,
    ],
    [
      'pels that are too few',
      () => locatePattern({ ...pattern, width: 5 }, picture),
      OptionError,
      /48 bytes.*60 bytes/,
    ],
    ['no size', () => locatePattern(pattern, { ...picture, width: 0 }), OptionError, /picture is 0x8/],
    [
      'too many pels',
      () => locatePattern(pattern, { ...picture, width: 2 ** 14, height: 2 ** 14 + 1 }),
      OptionError,
      /at most 268435456 pels/,
    ],
    ['no channels', () => locatePattern(pattern, { ...picture, channels: 5 as 4 }), OptionError, /5 channels/],
    [
      'no tolerance',
      () => locatePattern(pattern, picture, { tolerance: null as never }),
      OptionError,
      /tolerance is null/,
    ],
    ['no pattern', () => locatePattern(undefined as never, picture), OptionError, /pattern is undefined/],
    [
      'pels of text',
      () => locatePattern(pattern, { ...picture, pels: 'x' as never }),
      OptionError,
      /string; legal: 192/,
    ],
    ['a tolerance', () => locatePattern(pattern, picture, { tolerance: -1 }), OptionError, /tolerance is -1; legal/],
    ['no number', () => locatePattern(pattern, picture, { tolerance: Number.NaN }), OptionError, /NaN; legal/],
    ['an option', () => locatePattern(pattern, picture, { tolerence: 1 } as object), OptionError, /mean tolerance\?$/],
    [
      'a callback',
      () => locatePattern(pattern, picture, { onWarning: 5 as never }),
      OptionError,
      /5 is not a function$/,
    ],
    ['a device', () => locatePattern(pattern, picture, { device: 'cup' as 'cpu' }), OptionError, /mean cpu\?.*auto/],
  ])('%s is an error that says what would be right', async (_, run, kind, says) => {
    const error = await run().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(kind);
    expect((error as Error).message).toMatch(says);
  });
});

it('the largest sum is the last whose mean is within the tolerance', () => {
  for (const tolerance of [0, 0.1, 0.3, 1 / 3, 10, 12.7, 255]) {
    for (const samples of [1, 3, 7, 256, 768, 12_288]) {
      const sum = largestSum(tolerance, samples);
      expect(sum / samples).toBeLessThanOrEqual(tolerance);
      expect((sum + 1) / samples).toBeGreaterThan(tolerance);
    }
  }
});

function noise(width: number, height: number, channels: PelImage['channels'], seed: number) {
  return noiseImage({ width, height, channels }, seed);
}

/** A picture without detail finer than four pels, and with colours less strong than its light, as a photo. */
async function smooth(width: number, height: number, seed: number): Promise<PelImage & { readonly pels: Uint8Array }> {
  const coarse = { width: width / 4, height: height / 4, channels: 3 } as const;
  const light = noiseImage({ ...coarse, channels: 1 }, seed).pels;
  const pels = noiseImage(coarse, seed + 1000).pels.map((value, i) => (3 * light[Math.floor(i / 3)] + value) >> 2);
  const wide = await sharp(pels, { raw: coarse }).resize(width, height, { kernel: 'cubic' }).raw().toBuffer();
  return { width, height, channels: 3, pels: new Uint8Array(wide) };
}
