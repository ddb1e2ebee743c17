// gpu-mrmp keeps the estimator contract, and tells the GPU's times where they are wanted.
import { afterAll, describe, expect, it } from 'vitest';
import { createGpuMrmp } from '../../src/gpu/gpu-estimators.js';
import { createCpuMrmp } from '../../src/motion/cpu/cpu-mrmp.js';
import type { EstimatorParameters } from '../../src/motion/estimator.js';
import { describeEstimator } from '../motion/estimator-suite.js';
import { PICTURE_KINDS, picturePair } from './pictures.js';
import { gpuCases, openTestGpu, shareGpu } from './test-gpu.js';

const gpu = shareGpu();
// Where the GPU fails, its CPU twin answers: the suite would hold, but not for the GPU.
const warnings: string[] = [];
const onWarning = (message: string) => warnings.push(message);
afterAll(() => expect(warnings).toEqual([]));

describeEstimator(
  'gpu-mrmp',
  (parameters: EstimatorParameters) => createGpuMrmp(parameters, { gpu, onWarning }),
  gpuCases(),
);

it('needs no more workgroup memory than every device has, whatever it keeps, and equals cpu-mrmp', async () => {
  const own = await openTestGpu(); // kept until the device is destroyed
  const device = await (await own.requestAdapter())!.requestDevice();
  expect(device.limits.maxComputeWorkgroupStorageSize).toBe(16384);
  const size = { width: 320, height: 32, blockSize: 16 } as const;
  const parameters = { ...size, metric: 'sad', range: 'picture', candidatesPerBlock: 64, lambda: 1 } as const;
  const onGpu = await createGpuMrmp(parameters, { device, onWarning });
  const onCpu = await createCpuMrmp(parameters);
  for (const [index, kind] of PICTURE_KINDS.entries()) {
    const request = picturePair(kind, size.width, size.height, 2 * index);
    expect(await onGpu.estimate(request), kind).toEqual(await onCpu.estimate(request));
  }
  await Promise.all([onGpu.close(), onCpu.close()]);
  device.destroy();
});

const PARAMETERS: EstimatorParameters = {
  width: 48,
  height: 32,
  metric: 'sad',
  blockSize: 16,
  range: { x: 3, y: 3 },
  candidatesPerBlock: 1,
  lambda: 0.7,
};

describe('close', { timeout: 60_000 }, () => {
  it('answers what is on the GPU, rejects what waits and what comes later, and may be called again', async () => {
    const estimator = await createGpuMrmp(PARAMETERS, { gpu, onWarning, depth: 2, pairs: 1 });
    const calls = Array.from({ length: 5 }, (_, index) => estimator.estimate(picturePair('noise', 48, 32, 2 * index)));
    const outcomes = Promise.allSettled(calls);
    await Promise.resolve(); // pairs are given to the GPU when no more are asked for
    await Promise.all([estimator.close(), estimator.close()]);
    expect((await outcomes).map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
      'rejected',
    ]);
    await expect(estimator.estimate(picturePair('noise', 48, 32, 0))).rejects.toThrow(
      'the estimator gpu-mrmp is closed',
    );
    await estimator.close();
  });
});

describe('the times of the GPU', { timeout: 60_000 }, () => {
  /** Pair 0 brings two pictures, and the same pair again brings none. */
  const pair = picturePair('moving', PARAMETERS.width, PARAMETERS.height, 0);

  it('are told where they are wanted, those of the preparation and of the search apart', async () => {
    const adapter = await gpu.requestAdapter();
    const estimator = await createGpuMrmp(PARAMETERS, { gpu, onWarning, isTimed: true });
    const first = await estimator.estimate(pair);
    const { kernelTimeNs, searchTimeNs } = estimator.statistics();
    const second = await estimator.estimate(pair);
    const after = estimator.statistics();
    await estimator.close();
    expect(second).toEqual(first);
    if (!adapter?.features.has('timestamp-query')) {
      expect([kernelTimeNs, searchTimeNs]).toEqual([undefined, undefined]);
      return;
    }
    expect(searchTimeNs).toBeGreaterThan(0);
    expect(kernelTimeNs).toBeGreaterThan(searchTimeNs!);
    expect(after.searchTimeNs).toBeGreaterThan(searchTimeNs!);
    expect(after.kernelTimeNs! - kernelTimeNs!).toBeGreaterThanOrEqual(after.searchTimeNs! - searchTimeNs!);
  });

  it('are not taken otherwise, and the fields are the same', async () => {
    const [plain, timed] = await Promise.all(
      [false, true].map(isTimed => createGpuMrmp(PARAMETERS, { gpu, onWarning, isTimed })),
    );
    expect(await plain!.estimate(pair)).toEqual(await timed!.estimate(pair));
    expect(plain!.statistics()).toMatchObject({ kernelTimeNs: undefined, searchTimeNs: undefined });
    await Promise.all([plain!.close(), timed!.close()]);
  });
});
