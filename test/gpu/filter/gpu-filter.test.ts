// The temporal filter on the GPU equals the kernel's definition, to the bit, and a GPU that fails is said to.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filterNumbers } from '../../../src/encoder/picture/temporal-filter.js';
import { UnsupportedError } from '../../../src/errors.js';
import { BUFFER_USAGE, createFilledBuffer } from '../../../src/gpu/device/buffers.js';
import { type GpuDevice, openDevice } from '../../../src/gpu/device/device.js';
import { createGpuFilter, type GpuFilter } from '../../../src/gpu/filter/gpu-filter.js';
import { createGpuMrmp } from '../../../src/gpu/gpu-estimators.js';
import { TEMPORAL_FILTER } from '../../../src/kernels/records/picture-planes.js';
import type { EstimatorParameters, LumaPicture } from '../../../src/motion/estimator.js';
import type { FilterRequest } from '../../../src/motion/filter-request.js';
import { kernelPair, PEL_CONTENTS, seededRandom } from '../../kernels/kernel-pair.js';
import { IS_SOAK } from '../../support/soak.js';
import { type DeviceChange, gpuWith } from '../broken-gpu.js';
import { shareGpu } from '../test-gpu.js';

const SEED = 0x5eed;
const RUNS = IS_SOAK ? 1000 : 100;
const MAX_PELS = 64 * 64;
const SIZE = { mbWidth: 3, mbHeight: 2 };

const shared = shareGpu();
const pair = await kernelPair(1 << 16);
const current = pair.allocate(MAX_PELS);
const [planes, dx, dy] = [MAX_PELS, 2 * 16, 2 * 16].map(bytes => [0, 1, 2, 3].map(() => pair.allocate(bytes))) as [
  number[],
  number[],
  number[],
];
const record = pair.allocate(TEMPORAL_FILTER.bytes);
const target = pair.allocate(MAX_PELS);

/** What both kernel sets make of a request. */
function expectedPels({ current: picture, references, numbers }: FilterRequest): Uint8Array {
  const { strengths, ...ranges } = numbers;
  pair.fill(current, picture.pels);
  for (const [i, reference] of references.entries()) {
    pair.fill(planes[i]!, reference.picture.pels);
    pair.fill(dx[i]!, new Uint8Array(Int16Array.from(reference.dx).buffer));
    pair.fill(dy[i]!, new Uint8Array(Int16Array.from(reference.dy).buffer));
  }
  const size = { mbWidth: picture.width / 16, mbHeight: picture.height / 16 };
  for (const { memory, kernels } of [pair.reference, pair.simd]) {
    const job = TEMPORAL_FILTER.at(memory, record);
    Object.assign(job, { target, current, ...size, count: references.length, ...ranges });
    job.planes.set(planes);
    job.dx.set(dx);
    job.dy.set(dy);
    job.signs.set(references.map(({ isReversed }) => (isReversed ? -1 : 1)));
    job.strengths.set(strengths);
    kernels.filterLuma(record);
  }
  expect(pair.firstDifference()).toBe(-1);
  return pair.reference.memory.u8.slice(target, target + picture.pels.length);
}

/** An array on memory that threads share, as the encoder's are. */
const sharedBytes = (bytes: ArrayLike<number>) => {
  const array = new Uint8Array(new SharedArrayBuffer(bytes.length));
  array.set(bytes);
  return array;
};
const sharedComponents = (components: ArrayLike<number>) => {
  const array = new Int16Array(new SharedArrayBuffer(2 * components.length));
  array.set(components);
  return array;
};

const scene = (x: number, y: number) =>
  128 + 50 * Math.sin(x / 2.3 + y / 7) + 40 * Math.cos(y / 2.1 - x / 9) + 10 * Math.sin((x * y) / 90);

/** What is random about a request. */
interface Given {
  readonly seed: number;
  readonly content: 'scene' | 'steps' | 'columns' | 'unlike' | 'noise' | 'extremes' | 'ramp' | 'flat' | 'nearlyEqual';
  readonly size: { readonly mbWidth: number; readonly mbHeight: number };
  readonly pelRange: number;
  readonly blockRange: number;
  readonly weights: readonly number[];
  readonly reach: number;
}

const PLAIN: Given = {
  seed: SEED,
  content: 'scene',
  size: SIZE,
  pelRange: 30,
  blockRange: 25,
  weights: [0.4, 0.4, 0.27, 0.27],
  reach: 1,
};

/** The id of a picture that no other request has. */
let nextId = 0;

/**
 * A request with pictures of its own. Vectors lead up to `reach` pels beside the motion of the scene, which is up to two
 * pels along each axis: out of the plane, too.
 */
function requestOf({ seed, content, size, pelRange, blockRange, weights, reach }: Given): FilterRequest {
  const random = seededRandom(seed);
  const [width, height] = [16 * size.mbWidth, 16 * size.mbHeight];
  const quarters = () => (content === 'scene' ? (random() % 17) - 8 : 0);
  const picture = (number: number, shiftX: number, shiftY: number): LumaPicture => {
    const pels = Array.from({ length: width * height }, (_, i) => {
      if (content === 'unlike') return number === 0 ? 255 : 0;
      // An edge between macroblocks: parabolas lead to where interpolated pels are farther.
      if (content === 'columns') return (i & 32 ? 200 : 50) + (random() % 7);
      // Differences of a few sizes: SADs are often equal.
      if (content === 'steps') return 100 + 3 * (random() % 4);
      if (content !== 'scene') return PEL_CONTENTS[content](random, i + number);
      const pel = scene((i % width) - shiftX / 4, Math.floor(i / width) - shiftY / 4) + (random() % 7) - 3;
      return Math.min(Math.max(Math.round(pel), 0), 255);
    });
    return { id: nextId++, width, height, pels: sharedBytes(pels) };
  };
  const components = (shift: number) =>
    sharedComponents(
      Array.from(
        { length: size.mbWidth * size.mbHeight },
        () => Math.round(shift / 4) + (random() % (2 * reach + 1)) - reach,
      ),
    );
  return {
    current: picture(0, 0, 0),
    references: weights.map((_, i) => {
      const [x, y] = [quarters(), quarters()];
      const isReversed = random() % 2 === 1;
      const sign = isReversed ? -1 : 1;
      return { picture: picture(i + 1, x, y), dx: components(sign * x), dy: components(sign * y), isReversed };
    }),
    numbers: filterNumbers({ pels: pelRange, macroblock: blockRange }, weights),
    target: sharedBytes(new Uint8Array(width * height).fill(7)),
  };
}

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
    // Thirteen other pictures take their places.
    await filter.filter(requestOf(PLAIN));
    await filter.filter(requestOf(PLAIN));
    await filter.filter(requestOf({ ...PLAIN, weights: [0.4, 0.4] }));
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
      return { ...picture, id: nextId++, pels: picture.pels.map(pel => 255 - pel), gpuBuffer };
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

/** A device whose filter takes another tap. */
function wrongShader(device: GPUDevice): GPUDevice {
  const createShaderModule = device.createShaderModule.bind(device);
  device.createShaderModule = descriptor =>
    createShaderModule({
      ...descriptor,
      code: descriptor.code.replace('(3, -10, 58, 17, -5, 1)', '(3, -10, 59, 16, -5, 1)'),
    });
  return device;
}

describe("an estimator's filter", { timeout: 60_000 }, () => {
  const parameters: EstimatorParameters = {
    ...{ width: 48, height: 32, metric: 'sad', blockSize: 16 },
    ...{ range: { x: 5, y: 5 }, candidatesPerBlock: 2, lambda: 1 },
  };
  /** An estimator, and what it warned of. */
  async function createOn(gpu: Promise<GPU>) {
    const warnings: string[] = [];
    const onWarning = (message: string) => warnings.push(message);
    return { warnings, estimator: await createGpuMrmp(parameters, { gpu: await gpu, onWarning }) };
  }
  const estimatorOn = (change: DeviceChange) => createOn(gpuWith(change, shared));
  const pairOf = ({ current, references }: FilterRequest) => ({ current, reference: references[0]!.picture });

  it('filters, beside the searches and after none', async () => {
    const { estimator, warnings } = await estimatorOn(device => device);
    const requests = [1, 2, 3, 4, 5].map(seed => requestOf({ ...PLAIN, seed }));
    const answers = requests.map(request => estimator.filter(request));
    await estimator.estimate(pairOf(requests[0]!));
    expect(await Promise.all(answers)).toEqual([true, true, true, true, true]);
    for (const request of requests) expect(request.target).toEqual(sharedBytes(expectedPels(request)));
    await estimator.close();
    expect(await estimator.filter(requests[0]!)).toBe(false);
    expect(warnings).toEqual([]);
  });

  it('is waited for at the end', async () => {
    const { estimator } = await estimatorOn(device => device);
    const requests = [1, 2, 3, 4, 5].map(seed => requestOf({ ...PLAIN, seed }));
    expect(await estimator.filter(requests[0]!)).toBe(true);
    const answers = Promise.all(requests.map(request => estimator.filter(request)));
    await estimator.close();
    for (const [i, isFiltered] of (await answers).entries()) {
      if (isFiltered) expect(requests[i]!.target).toEqual(sharedBytes(expectedPels(requests[i]!)));
    }
    // One that is not made yet is waited for, too.
    const { estimator: other, warnings } = await estimatorOn(device => device);
    const answer = other.filter(requests[0]!);
    await other.close();
    expect(await answer).toBe(false);
    expect(warnings).toEqual([]);
  });

  it('is none where it is wrong; the searches go on', async () => {
    const { estimator, warnings } = await estimatorOn(wrongShader);
    const request = requestOf(PLAIN);
    expect(await Promise.all([estimator.filter(request), estimator.filter(request)])).toEqual([false, false]);
    expect(await estimator.filter(request)).toBe(false);
    await estimator.estimate(pairOf(request));
    expect(warnings).toEqual([
      expect.stringMatching(/^gpu-mrmp: .* filters wrong \(.*\); the CPU filters in its place, with the same result$/),
    ]);
    expect(estimator.statistics().fault).toBeUndefined();
    await estimator.close();
  });

  it('is none where the driver gives no device', async () => {
    const { estimator } = await estimatorOn(() => {
      throw new Error('out of luck');
    });
    expect(await estimator.filter(requestOf(PLAIN))).toBe(false);
    await estimator.close();
  });

  it('is none once a submission is invalid', async () => {
    let spoil = false;
    const { estimator, warnings } = await estimatorOn(device => {
      const createCommandEncoder = device.createCommandEncoder.bind(device);
      device.createCommandEncoder = descriptor => {
        const encoder = createCommandEncoder(descriptor);
        // A copy of a buffer that cannot be copied from makes the whole submission invalid, and nothing is computed.
        if (spoil && descriptor?.label === 'Filter.encoder') {
          const buffer = device.createBuffer({ size: 16, usage: 0x40 });
          encoder.copyBufferToBuffer(buffer, 0, buffer, 8, 8);
        }
        return encoder;
      };
      return device;
    });
    const requests = [1, 2, 3, 4, 5].map(seed => requestOf({ ...PLAIN, seed }));
    expect(await estimator.filter(requests[0]!)).toBe(true);
    spoil = true;
    const answers = await Promise.all(requests.map(request => estimator.filter(request)));
    expect(answers).toEqual([false, false, false, false, false]);
    expect(warnings).toHaveLength(1);
    await estimator.close();
  });

  it('is none once the device is lost', async () => {
    let lost: GPUDevice | undefined;
    const open = (device: GPUDevice) => {
      lost = device;
      return device;
    };
    const { estimator, warnings } = await createOn(gpuWith(open));
    const requests = [1, 2, 3, 4, 5].map(seed => requestOf({ ...PLAIN, seed }));
    expect(await estimator.filter(requests[0]!)).toBe(true);
    const answers = Promise.all(requests.map(request => estimator.filter(request)));
    lost!.destroy();
    expect((await answers).slice(3)).toEqual([false, false]);
    expect(await estimator.filter(requests[0]!)).toBe(false);
    expect(warnings).toHaveLength(1);
    await estimator.close();
  });
});
