// The filter of a GPU estimator: beside its searches, at its end, and where the GPU fails.
import { describe, expect, it } from 'vitest';
import { createGpuMrmp, type GpuEstimatorOptions } from '../../../src/gpu/gpu-estimators.js';
import type { FilterRequest } from '../../../src/motion/filter-request.js';
import { type DeviceChange, gpuWith } from '../broken-gpu.js';
import { PARAMETERS, shared } from '../shared-gpu.js';
import { expectedPels, PLAIN, requestOf, sharedBytes, wrongShader } from './filter-requests.js';

describe("an estimator's filter", { timeout: 60_000 }, () => {
  /** An estimator, and what it warned of. */
  async function createOn(options: GpuEstimatorOptions) {
    const warnings: string[] = [];
    const onWarning = (message: string) => warnings.push(message);
    return { warnings, estimator: await createGpuMrmp(PARAMETERS, { ...options, onWarning }) };
  }
  const estimatorOn = async (change: DeviceChange) => createOn({ gpu: await gpuWith(change, shared) });
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
    await new Promise(resolve => setImmediate(resolve));
    await estimator.close();
    expect(await answers).toEqual([true, true, true, true, true]);
    for (const request of requests) expect(request.target).toEqual(sharedBytes(expectedPels(request)));
  });

  it('is waited for at the end while it is made, and nobody is warned of it', async () => {
    const { estimator, warnings } = await estimatorOn(wrongShader);
    const answer = estimator.filter(requestOf(PLAIN));
    await estimator.close();
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

  /** An estimator on its own device or the caller's. Once it is spoilt, submissions of a kind do what is invalid. */
  async function spoilableOn(whose: string, submission: string) {
    let isSpoilt = false;
    const change = (device: GPUDevice) => {
      const createCommandEncoder = device.createCommandEncoder.bind(device);
      device.createCommandEncoder = descriptor => {
        const encoder = createCommandEncoder(descriptor);
        // A copy of a buffer that cannot be copied from makes the whole submission invalid, and nothing is computed.
        if (isSpoilt && descriptor?.label === submission) {
          const buffer = device.createBuffer({ size: 16, usage: 0x40 });
          encoder.copyBufferToBuffer(buffer, 0, buffer, 8, 8);
        }
        return encoder;
      };
      return device;
    };
    const gpu = await gpuWith(change, shared);
    const isGiven = whose === "the caller's";
    const device = isGiven ? await (await gpu.requestAdapter())!.requestDevice() : undefined;
    const created = await createOn({ gpu, device });
    expect(await created.estimator.filter(requestOf(PLAIN))).toBe(true);
    isSpoilt = true;
    return created;
  }

  it.each(["the estimator's", "the caller's"])('is none once a submission is invalid on %s device', async whose => {
    const { estimator, warnings } = await spoilableOn(whose, 'Filter.encoder');
    const requests = [1, 2, 3, 4, 5].map(seed => requestOf({ ...PLAIN, seed }));
    const answers = await Promise.all(requests.map(request => estimator.filter(request)));
    expect(answers).toEqual([false, false, false, false, false]);
    expect(warnings).toHaveLength(1);
    expect(estimator.statistics().fault).toBeDefined();
    await estimator.close();
  });

  it.each(["the estimator's", "the caller's"])('takes no pictures of an invalid search on %s device', async whose => {
    const { estimator } = await spoilableOn(whose, 'PairSearch.encoder');
    const request = requestOf({ ...PLAIN, seed: 6 });
    const searched = estimator.estimate(pairOf(request));
    await Promise.resolve(); // the search is submitted first
    const isDone = await estimator.filter(request);
    // On a device of the caller's, nobody hears of the search in time: the pictures are uploaded once more.
    expect(isDone).toBe(whose === "the caller's");
    if (isDone) expect(request.target).toEqual(sharedBytes(expectedPels(request)));
    await searched;
    await estimator.close();
  });

  it('is none once the device is lost', async () => {
    let lost: GPUDevice | undefined;
    const open = (device: GPUDevice) => {
      lost = device;
      return device;
    };
    const { estimator, warnings } = await createOn({ gpu: await gpuWith(open) });
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
