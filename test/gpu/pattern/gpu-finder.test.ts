// The pattern search on the GPU finds what the CPU finds, to the bit.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UnsupportedError } from '../../../src/errors.js';
import { createGpuFinder } from '../../../src/gpu/pattern/gpu-finder.js';
import { createCpuFinder } from '../../../src/pattern/cpu-finder.js';
import { readPattern } from '../../../src/pattern/pattern.js';
import { FinderSearch } from '../../../src/pattern/pattern-search.js';
import { type Components, componentsOf, type PelImage } from '../../../src/pattern/pel-image.js';
import type { FoundPlaces, PlaceFinder } from '../../../src/pattern/place-finder.js';
import { noiseImage, plant } from '../../pattern/pattern-images.js';
import { gpuWith, gpuWithoutAdapter } from '../broken-gpu.js';
import { RUNS_WHOLE_GRID, shareGpu } from '../test-gpu.js';

const gpu = shareGpu();

/** The places in order: positions and sums. */
const inOrder = ({ positions, sums }: FoundPlaces) =>
  Array.from(positions, (position, i) => [position, sums[i]] as const).sort(([a], [b]) => a - b);

interface Case {
  readonly pattern: Pick<PelImage, 'width' | 'height' | 'channels'>;
  readonly picture: Pick<PelImage, 'width' | 'height' | 'channels'>;
  readonly tolerance: number;
}

/** Sizes about those of a word, a portion of rows, a workgroup and its tile. */
const CASES: readonly Case[] = [
  { pattern: { width: 16, height: 16, channels: 1 }, picture: { width: 79, height: 50, channels: 1 }, tolerance: 85 },
  { pattern: { width: 5, height: 3, channels: 2 }, picture: { width: 37, height: 35, channels: 1 }, tolerance: 60 },
  { pattern: { width: 7, height: 9, channels: 4 }, picture: { width: 41, height: 43, channels: 3 }, tolerance: 75 },
  { pattern: { width: 64, height: 64, channels: 3 }, picture: { width: 97, height: 97, channels: 4 }, tolerance: 85.3 },
  { pattern: { width: 64, height: 63, channels: 1 }, picture: { width: 64, height: 64, channels: 2 }, tolerance: 255 },
  { pattern: { width: 1, height: 64, channels: 1 }, picture: { width: 100, height: 70, channels: 4 }, tolerance: 84 },
  { pattern: { width: 1, height: 1, channels: 3 }, picture: { width: 33, height: 2, channels: 1 }, tolerance: 40 },
];
const MORE: readonly Case[] = [1, 2, 3, 4].flatMap(channels =>
  [1, 4, 15, 17, 33].map(width => ({
    pattern: { width, height: 66 - 2 * width > 0 ? 66 - 2 * width : 3, channels: channels as PelImage['channels'] },
    picture: { width: 100, height: 70, channels: (5 - channels) as PelImage['channels'] },
    tolerance: 84,
  })),
);

async function bothFinders(pattern: PelImage, tolerance: number): Promise<readonly [PlaceFinder, PlaceFinder]> {
  const setup = { pattern: readPattern(pattern), tolerance };
  return Promise.all([createGpuFinder(setup, { gpu }), createCpuFinder(setup)]);
}

describe('the GPU finder', { timeout: 60_000 }, () => {
  it.each(RUNS_WHOLE_GRID ? [...CASES, ...MORE] : CASES)('finds what the CPU finds: %j', async test => {
    const pattern = noiseImage(test.pattern, 1);
    const [onGpu, onCpu] = await bothFinders(pattern, test.tolerance);
    const components: Components = componentsOf(pattern) === 1 ? componentsOf(test.picture) : 3;
    let found = 0;
    for (const seed of [2, 3]) {
      const picture = noiseImage(test.picture, seed);
      if (picture.channels >= pattern.channels) plant(pattern, picture, picture.width - pattern.width, 0);
      const expected = inOrder(await onCpu.find(picture, components));
      expect(inOrder(await onGpu.find(picture, components))).toEqual(expected);
      found += expected.length;
    }
    expect(found).toBeGreaterThan(0);
    await onGpu.close();
  });

  it('finds more places than its first answer has room for, and pictures of other sizes after that', async () => {
    const flat = (width: number, height: number): PelImage => {
      return { width, height, channels: 1, pels: new Uint8Array(width * height).fill(90) };
    };
    const pattern = noiseImage({ width: 2, height: 2, channels: 1 }, 1);
    const [onGpu, onCpu] = await bothFinders(pattern, 255);
    for (const picture of [flat(20, 9), flat(161, 121), flat(30, 40)]) {
      const places = inOrder(await onGpu.find(picture, 1));
      expect(places).toHaveLength((picture.width - 1) * (picture.height - 1));
      expect(places).toEqual(inOrder(await onCpu.find(picture, 1)));
    }
    await onGpu.close();
  });
});

describe('a GPU that cannot be used', { timeout: 60_000 }, () => {
  const setup = { pattern: readPattern(noiseImage({ width: 4, height: 4, channels: 1 }, 1)), tolerance: 60 };
  const picture = noiseImage({ width: 30, height: 20, channels: 1 }, 2);

  it('is an UnsupportedError where there is none', () =>
    expect(createGpuFinder(setup, { gpu: gpuWithoutAdapter() })).rejects.toThrow(UnsupportedError));

  it('is an UnsupportedError where it computes wrong', async () => {
    // The parameters of a search do not reach it.
    const wrong = await gpuWith(device => {
      const queue = { writeBuffer: () => {}, submit: device.queue.submit.bind(device.queue) };
      return new Proxy(device, {
        get(target, name) {
          if (name === 'queue') return queue;
          const value: unknown = Reflect.get(target, name, target);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
    }, gpu);
    await expect(createGpuFinder(setup, { gpu: wrong })).rejects.toThrow(/finds other places than the CPU/);
  });

  it('hands over to the CPU when its device is lost', async () => {
    let device: GPUDevice | undefined;
    const breakable = await gpuWith(opened => {
      device = opened;
      return opened;
    });
    const warnings: string[] = [];
    const search = new FinderSearch(setup, await createGpuFinder(setup, { gpu: breakable }), [], message =>
      warnings.push(message),
    );
    const expected = await search.search(picture);
    expect(expected.length).toBeGreaterThan(0);
    device!.destroy();
    expect(await search.search(picture)).toEqual(expected);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/^gpu: .*; the CPU goes on in its place/);
    expect(search.device).toMatch(/^CPU/);
    await search.close();
  });
});

let unexpected = 0;
const count = () => unexpected++;
beforeAll(() => void process.on('unhandledRejection', count));
afterAll(() => {
  process.off('unhandledRejection', count);
  expect(unexpected).toBe(0);
});
