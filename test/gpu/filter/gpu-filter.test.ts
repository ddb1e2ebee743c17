// The temporal filter on the GPU equals the kernel's definition, to the bit.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UnsupportedError } from '../../../src/errors.js';
import { BUFFER_USAGE, createFilledBuffer } from '../../../src/gpu/device/buffers.js';
import { type GpuDevice, openDevice } from '../../../src/gpu/device/device.js';
import { createGpuFilter, type GpuFilter } from '../../../src/gpu/filter/gpu-filter.js';
import type { LumaPicture } from '../../../src/motion/estimator.js';
import { IS_SOAK } from '../../support/soak.js';
import { gpuWith } from '../broken-gpu.js';
import { shareGpu } from '../test-gpu.js';
import {
  expectedPels,
  type Given,
  newId,
  PLAIN,
  requestOf,
  SIZE,
  sharedBytes,
  wrongShader,
} from './filter-requests.js';

const SEED = 0x5eed;
const RUNS = IS_SOAK ? 1000 : 100;

const shared = shareGpu();

describe('the filter', { timeout: 60_000 }, () => {
  let gpu: GpuDevice;
  const filters = new Map<string, Promise<GpuFilter>>();
  beforeAll(async () => {
    gpu = await openDevice({ gpu: shared });
  });
  afterAll(async () => {
    for (const filter of filters.values()) (await filter).destroy();
    await gpu.close();
  });
  /** The one for a size. */
  const filterFor = (size: Given['size']) => {
    const key = JSON.stringify(size);
    if (!filters.has(key)) filters.set(key, createGpuFilter(gpu, size));
    return filters.get(key)!;
  };

  const sizes = fc.constantFrom(
    SIZE,
    { mbWidth: 4, mbHeight: 4 },
    { mbWidth: 1, mbHeight: 1 },
    { mbWidth: 1, mbHeight: 3 },
  );
  /** All that the kernel takes: mostly nothing is near enough to count. */
  const any = fc.record({
    seed: fc.integer(),
    content: fc.constantFrom(...(['scene', 'unlike', 'noise', 'extremes', 'ramp', 'flat', 'nearlyEqual'] as const)),
    size: sizes,
    pelRange: fc.oneof(fc.constantFrom(2.5, 3, 12, 64, 128, 181), fc.double({ min: 2.5, max: 181, noNaN: true })),
    blockRange: fc.constantFrom(0.5, 4, 20, 90, 255),
    weights: fc.array(fc.constantFrom(0, 0.01, 0.3, 0.5), { maxLength: 4 }),
    reach: fc.constantFrom(0, 1, 20, 4000),
  });
  /** As in an encode. */
  const usual = fc.record({
    seed: fc.integer(),
    content: fc.constantFrom('scene' as const, 'steps' as const),
    size: sizes,
    pelRange: fc.oneof(fc.constantFrom(2.5, 5.5, 8.1), fc.integer({ min: 10, max: 100 })),
    blockRange: fc.integer({ min: 5, max: 60 }),
    weights: fc.array(fc.constantFrom(0.27, 0.4, 0.5), { minLength: 1, maxLength: 4, size: 'max' }),
    reach: fc.constantFrom(0, 1, 2),
  });

  it('equals both kernel sets for random planes, vectors and numbers', async () => {
    let changed = 0;
    await fc.assert(
      fc.asyncProperty(fc.oneof(any, usual), async one => {
        const request = requestOf(one);
        await (await filterFor(one.size)).filter(request);
        expect(Buffer.compare(request.target, expectedPels(request))).toBe(0);
        if (Buffer.compare(request.target, request.current.pels) !== 0) changed++;
      }),
      { seed: SEED, numRuns: RUNS },
    );
    expect(changed).toBeGreaterThan(RUNS / 4);
  });

  it.each(['steps', 'columns'] as const)('chooses as the kernels do where it is close: %s', async content => {
    const size = { mbWidth: 4, mbHeight: 4 };
    const filter = await filterFor(size);
    for (let seed = 0; seed < 8; seed++) {
      const request = requestOf({ ...PLAIN, seed, content, size, pelRange: 8.1, blockRange: 8, reach: seed % 2 });
      await filter.filter(request);
      expect(Buffer.compare(request.target, expectedPels(request))).toBe(0);
    }
  });

  it('filters several pictures at a time', async () => {
    const filter = await filterFor(SIZE);
    const requests = Array.from({ length: 9 }, (_, i) => requestOf({ ...PLAIN, seed: i }));
    await Promise.all(requests.map(request => filter.filter(request)));
    for (const request of requests) expect(request.target).toEqual(sharedBytes(expectedPels(request)));
  });

  it('keeps pictures by their id', async () => {
    const filter = await filterFor(SIZE);
    const request = requestOf(PLAIN);
    const expected = sharedBytes(expectedPels(request));
    expect(expected).not.toEqual(request.current.pels);
    await filter.filter(request);
    for (const { pels } of [request.current, ...request.references.map(({ picture }) => picture)]) pels.fill(90);
    request.target.fill(7);
    await filter.filter(request);
    expect(request.target).toEqual(expected);
    // A hundred other pictures take their places.
    for (let i = 0; i < 20; i++) await filter.filter(requestOf(PLAIN));
    await filter.filter(request);
    expect(request.target).toEqual(request.current.pels);
  });

  it("takes pictures from buffers on the caller's device, and tells the errors there", async () => {
    const given = await openDevice({ device: gpu.device });
    const filter = await createGpuFilter(given, SIZE);
    const request = requestOf(PLAIN);
    const expected = sharedBytes(expectedPels(request));
    /** The picture in a buffer, beside other pels. */
    const onGpu = (picture: LumaPicture, usage: number = BUFFER_USAGE.copySource): LumaPicture => {
      const words = new Uint32Array(Uint8Array.from(picture.pels).buffer);
      const gpuBuffer = createFilledBuffer(gpu.device, 'luma', usage, words);
      return { ...picture, id: newId(), pels: picture.pels.map(pel => 255 - pel), gpuBuffer };
    };
    const references = request.references.map(reference => ({ ...reference, picture: onGpu(reference.picture) }));
    await filter.filter({ ...request, current: onGpu(request.current), references });
    expect(request.target).toEqual(expected);
    const wrong = { ...request, current: onGpu(request.current, BUFFER_USAGE.copyTarget) };
    // Two more are under way; none of them is to be taken for filtered.
    const refusals = await Promise.allSettled([wrong, wrong, request, wrong].map(one => filter.filter(one)));
    for (const { reason } of refusals as PromiseRejectedResult[]) {
      expect(reason).toMatchObject({ message: expect.stringContaining("doesn't include BufferUsage::CopySrc") });
    }
    filter.destroy();
    expect(gpu.fault).toBeUndefined();
  });

  it('is refused where the GPU computes wrong', async () => {
    const wrong = await openDevice({ gpu: await gpuWith(wrongShader, shared) });
    const refusal: unknown = await createGpuFilter(wrong, SIZE).catch(reason => reason);
    expect(refusal).toBeInstanceOf(UnsupportedError);
    expect(refusal).toMatchObject({ message: expect.stringMatching(/filters wrong \(pel \d+: \d+ instead of \d+\)$/) });
    expect(wrong.fault).toBeUndefined();
    await wrong.close();
  });
});
