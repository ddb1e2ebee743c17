// Drivers that one thread asks, and the GPU that another opens by the answer.
import { expect, it, vi } from 'vitest';
import { openDevice } from '../../../src/gpu/device/device.js';
import { NO_ANSWER, tellsOfGpu } from '../../../src/gpu/device/early-answer.js';
import { askDriversBefore, askDriversEarly } from '../../../src/motion/threads/early-drivers.js';
import { SharedText } from '../../../src/threads/shared-text.js';

const answering = (text: string) => ({ taken: async () => text });

it('are asked for estimators that use a GPU alone', async () => {
  expect(await askDriversEarly('cpu-predictive')).toBeUndefined();
  expect(await askDriversEarly('./search.js')).toBeUndefined();
  const memory = await askDriversEarly('gpu-full');
  const { report, variables } = JSON.parse(await new SharedText(memory!).taken());
  expect(report.adapters).toHaveLength(1);
  expect(variables).toBeTypeOf('object');
});

it('are asked once where a GPU is found, and again where there is none', async () => {
  const kept = new Map<string, SharedArrayBuffer>();
  const first = await askDriversEarly('gpu-mrmp', kept);
  await new SharedText(first!).taken();
  expect(await askDriversEarly('gpu-full', kept)).toBe(first);
  expect(await askDriversEarly('gpu-full')).not.toBe(first);
  expect(kept.size).toBe(1);
  const { adapters } = JSON.parse(await new SharedText(first!).taken()).report;
  expect(tellsOfGpu(JSON.stringify({ report: { adapters }, variables: {} }), true)).toBe(true);
  for (const none of [NO_ANSWER, '{"variables":{}}', '{"report":{"adapters":[]},"variables":{}}']) {
    expect(tellsOfGpu(none, true)).toBe(false);
  }
});

it('are asked once for an encode that asks before it has an encoder, and again for the next one', async () => {
  const kept = new Map<string, SharedArrayBuffer>();
  const forget = askDriversBefore('gpu-mrmp');
  const first = await askDriversEarly('gpu-mrmp', kept);
  const { report } = JSON.parse(await new SharedText(first!).taken());
  expect(report.adapters).toHaveLength(1);
  await vi.waitFor(() => expect(kept.get('graphics drivers')).toBe(first));
  expect(await askDriversEarly('gpu-mrmp')).not.toBe(first);
  forget();
  askDriversBefore('gpu-full')();
  // What was forgotten is not taken: this is asked anew, once.
  const asked = vi.spyOn(SharedText, 'create');
  await askDriversEarly('gpu-full');
  expect(asked).toHaveBeenCalledTimes(2);
  // Where the answer is kept, nobody asks. The end of one encode leaves what another one has asked.
  asked.mockClear();
  expect(await askDriversEarly('gpu-full', kept)).toBe(first);
  askDriversBefore('gpu-full', kept)();
  expect(await askDriversEarly('gpu-full', kept)).toBe(first);
  const forgetFirst = askDriversBefore('gpu-full');
  askDriversBefore('gpu-full');
  forgetFirst();
  await askDriversEarly('gpu-full');
  expect(asked).toHaveBeenCalledTimes(2);
  asked.mockRestore();
  askDriversBefore('cpu-full')();
  expect(await askDriversEarly('cpu-full')).toBeUndefined();
});

it('decide whether there is a GPU', async () => {
  const reason = 'the graphics drivers sleep';
  const none = answering(JSON.stringify({ report: { adapters: [], reason }, variables: {} }));
  await expect(openDevice({ drivers: none })).rejects.toThrow(`no usable GPU: ${reason}`);
});

it('are asked again where there is no answer', async () => {
  const gpu = await openDevice({ drivers: answering(NO_ANSWER) });
  expect(gpu.name).toMatch(/WebGPU/);
  await gpu.close();
});

it('a thread opens its GPU by the same entry point again, and by a new one where that finds none', async () => {
  const entryPoints: GPU[] = [];
  for (let encode = 0; encode < 2; encode++) await (await openDevice({ entryPoints })).close();
  expect(entryPoints).toHaveLength(1);
  entryPoints.push({ requestAdapter: async () => null } as unknown as GPU);
  for (let encode = 0; encode < 2; encode++) await (await openDevice({ entryPoints })).close();
  expect(entryPoints).toHaveLength(3);
});
