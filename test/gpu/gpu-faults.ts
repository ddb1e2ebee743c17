// GPUs that fail: on the way the CPU twin takes over with the same fields, at the start the estimator is refused.
import { describe, expect, it } from 'vitest';
import { UnsupportedError } from '../../src/errors.js';
import { createGpuFull, createGpuMrmp, describeAdapters } from '../../src/gpu/gpu-estimators.js';
import { createCpuFull } from '../../src/motion/cpu/cpu-full.js';
import { createCpuMrmp } from '../../src/motion/cpu/cpu-mrmp.js';
import type { EstimateRequest, EstimatorFactory, MotionField } from '../../src/motion/estimator.js';
import { type DeviceChange, gpuWith, gpuWithoutAdapter } from './broken-gpu.js';
import { picturePair } from './pictures.js';
import { PARAMETERS, shared } from './shared-gpu.js';

const PAIRS: readonly EstimateRequest[] = Array.from({ length: 8 }, (_, index) => {
  return picturePair(index % 2 === 0 ? 'moving' : 'noise', PARAMETERS.width, PARAMETERS.height, 2 * index);
});

/** What the CPU twin answers. */
async function fieldsOfTwin(create: EstimatorFactory = createCpuMrmp): Promise<MotionField[]> {
  const cpu = await create(PARAMETERS);
  const fields: MotionField[] = [];
  for (const pair of PAIRS) fields.push(await cpu.estimate(pair));
  await cpu.close();
  return fields;
}

/** `gpu-mrmp`, which a software GPU compiles faster, on a changed device, and what it warned of. */
async function estimatorOn(change: DeviceChange) {
  return createNoted(createGpuMrmp, await gpuWith(change, shared));
}

/** An estimator, and what it warned of. */
async function createNoted(create: typeof createGpuFull | typeof createGpuMrmp, gpu: GPU) {
  const warnings: string[] = [];
  const onWarning = (message: string) => warnings.push(message);
  return { warnings, estimator: await create(PARAMETERS, { gpu, depth: 2, onWarning }) };
}

describe('a fault on the way', { timeout: 60_000 }, () => {
  it('is none as long as nothing fails', async () => {
    const { estimator, warnings } = await estimatorOn(device => device);
    expect(await Promise.all(PAIRS.map(pair => estimator.estimate(pair)))).toEqual(await fieldsOfTwin());
    expect(estimator.statistics()).toMatchObject({ pictures: PAIRS.length, fault: undefined });
    await estimator.close();
    expect(warnings).toEqual([]);
  });

  it('is no picture of another size: that is the mistake of the caller', async () => {
    const { estimator, warnings } = await estimatorOn(device => device);
    const small = picturePair('noise', 16, 16, 100).reference;
    await expect(estimator.estimate({ ...PAIRS[0], reference: small })).rejects.toThrow(
      'picture 101 is 16x16 with 256 pels; gpu-mrmp was made for 48x32',
    );
    expect(await estimator.estimate(PAIRS[0])).toEqual((await fieldsOfTwin())[0]);
    await estimator.close();
    expect(warnings).toEqual([]);
  });

  it('a device lost on the way: the CPU answers the rest, said once', async () => {
    let lost: GPUDevice | undefined;
    // One device for all, since each is compiled for anew.
    const gpu = await gpuWith(device => {
      if (lost) device.destroy();
      lost ??= device;
      return lost;
    });
    const cases = [
      { answered: 0, name: 'gpu-mrmp', createGpu: createGpuMrmp, createCpu: createCpuMrmp },
      { answered: 1, name: 'gpu-full', createGpu: createGpuFull, createCpu: createCpuFull },
      { answered: 3, name: 'gpu-mrmp', createGpu: createGpuMrmp, createCpu: createCpuMrmp },
    ];
    const started = [];
    for (const given of cases) started.push({ ...given, ...(await createNoted(given.createGpu, gpu)) });
    const outcomes = [];
    for (const { answered, estimator } of started) {
      for (const pair of PAIRS.slice(0, answered)) outcomes.push(await estimator.estimate(pair));
    }
    const rest = started.map(({ answered, estimator }) =>
      Promise.all(PAIRS.slice(answered).map(pair => estimator.estimate(pair))),
    );
    lost!.destroy();
    for (const [index, { answered, name, createCpu, estimator, warnings }] of started.entries()) {
      const fields = [...outcomes.splice(0, answered), ...(await rest[index])];
      expect(fields, `${name} after ${answered} pairs`).toEqual(await fieldsOfTwin(createCpu));
      expect(warnings).toHaveLength(1);
      expect(warnings[0]).toMatch(new RegExp(`^${name}: .*; the CPU goes on in its place, with the same result$`));
      expect(estimator.statistics().fault).toBeDefined();
      expect(estimator.device).toMatch(/., then CPU$/);
      await estimator.close();
    }
  });

  it('an invalid submission: its pair is answered by the CPU too', async () => {
    let spoil = false;
    const { estimator, warnings } = await estimatorOn(device => {
      const createCommandEncoder = device.createCommandEncoder.bind(device);
      device.createCommandEncoder = descriptor => {
        const encoder = createCommandEncoder(descriptor);
        // A copy of a buffer that cannot be copied from makes the whole submission invalid, and nothing is computed.
        if (spoil) {
          const buffer = device.createBuffer({ size: 16, usage: 0x40 });
          encoder.copyBufferToBuffer(buffer, 0, buffer, 8, 8);
        }
        return encoder;
      };
      return device;
    });
    const first = await estimator.estimate(PAIRS[0]);
    spoil = true;
    const rest = await Promise.all(PAIRS.slice(1).map(pair => estimator.estimate(pair)));
    expect([first, ...rest]).toEqual(await fieldsOfTwin());
    expect(warnings).toHaveLength(1);
    await estimator.close();
  });

  it('an error that no call is blamed for', async () => {
    let fail = () => {};
    const events: Event[] = [];
    const { estimator, warnings } = await estimatorOn(device => {
      device.addEventListener('uncapturederror', event => events.push(event));
      fail = () => device.createBuffer({ size: 4, usage: 0x1 | 0x80 }); // MAP_READ with STORAGE is not allowed
      return device;
    });
    const first = await estimator.estimate(PAIRS[0]);
    fail();
    const rest = await Promise.all(PAIRS.slice(1).map(pair => estimator.estimate(pair)));
    expect([first, ...rest]).toEqual(await fieldsOfTwin());
    await expect.poll(() => warnings.length).toBe(1);
    // Else Dawn prints the error on standard output.
    expect(events.map(({ defaultPrevented }) => defaultPrevented)).toEqual([true]);
    await estimator.close();
  });

  it('a buffer that does not fit', async () => {
    let refuse = false;
    const { estimator, warnings } = await estimatorOn(device => {
      const createBuffer = device.createBuffer.bind(device);
      device.createBuffer = descriptor => createBuffer(refuse ? { ...descriptor, size: 2 ** 46 } : descriptor);
      return device;
    });
    const first = await estimator.estimate(PAIRS[0]);
    refuse = true;
    const rest = await Promise.all(PAIRS.slice(1).map(pair => estimator.estimate(pair)));
    expect([first, ...rest]).toEqual(await fieldsOfTwin());
    expect(warnings).toHaveLength(1);
    await estimator.close();
  });
});

describe('at the start', { timeout: 60_000 }, () => {
  it('a driver that gives no device: the CPU answers all, said once', async () => {
    const { estimator, warnings } = await estimatorOn(() => {
      throw new Error('out of luck');
    });
    expect(warnings).toEqual([expect.stringMatching(/gives no device: out of luck/)]);
    expect(await Promise.all(PAIRS.map(pair => estimator.estimate(pair)))).toEqual(await fieldsOfTwin());
    expect(warnings).toHaveLength(1);
    await estimator.close();
  });

  it.each([
    ['gpu-full', createGpuFull, '(u32(vector.y + 4096) << 1u)', '(u32(4096 - vector.y) << 1u)'],
    ['gpu-mrmp', createGpuMrmp, '3u * (pel(x, y) + pel(x, y + 1))', '3u * pel(x, y) + 2u * pel(x, y + 1)'],
  ] as const)('%s: a driver that computes wrong is refused', async (name, create, right, wrong) => {
    const gpu = await gpuWith(device => {
      const createShaderModule = device.createShaderModule.bind(device);
      device.createShaderModule = descriptor =>
        createShaderModule({ ...descriptor, code: descriptor.code.replace(right, wrong) });
      return device;
    }, shared);
    const refusal: unknown = await create(PARAMETERS, { gpu }).catch(reason => reason);
    expect(refusal).toBeInstanceOf(UnsupportedError);
    expect((refusal as UnsupportedError).message).toMatch(
      new RegExp(`^${name}: .* computes wrong motion \\(block \\d+, candidate \\d+: \\w+ \\S+ instead of \\S+\\)$`),
    );
  });

  it('a shader that does not compile is refused', async () => {
    const gpu = await gpuWith(device => {
      const createShaderModule = device.createShaderModule.bind(device);
      device.createShaderModule = descriptor => createShaderModule({ ...descriptor, code: `${descriptor.code} oops` });
      return device;
    }, shared);
    await expect(createGpuFull(PARAMETERS, { gpu })).rejects.toThrow(UnsupportedError);
  });

  it('no adapter is refused, with what to do', async () => {
    await expect(createGpuFull(PARAMETERS, { gpu: gpuWithoutAdapter() })).rejects.toThrow(UnsupportedError);
    await expect(createGpuMrmp(PARAMETERS, { gpu: gpuWithoutAdapter() })).rejects.toThrow(
      /no usable GPU: .*(install|update)/,
    );
  });

  it('a software adapter is refused where it is not wanted', async () => {
    const { adapters } = await describeAdapters();
    const make = () => createGpuFull(PARAMETERS, { allowSoftware: false });
    if (adapters.some(adapter => !adapter.software)) await (await make()).close();
    else await expect(make()).rejects.toThrow(/only the software adapter/);
  });
});

describe('describeAdapters', () => {
  it('says what there is', async () => {
    const { adapters } = await describeAdapters();
    expect(adapters.length).toBeGreaterThan(0);
    expect(adapters[0].name).not.toBe('');
    expect(adapters[0].limits['maxBufferSize']).toBeGreaterThan(0);
    expect(adapters[0].features).toEqual([...adapters[0].features].sort());
  });

  it('says why there is none', async () => {
    const { adapters, reason } = await describeAdapters(gpuWithoutAdapter());
    expect(adapters).toEqual([]);
    expect(reason).toMatch(/install|update/);
  });
});
