// Encodes where memory cannot be shared: threads get copies, and the bytes are the same.
import { afterEach, expect, it, vi } from 'vitest';
import { generateSample } from '../../samples/generate.js';
import { resolveOptions } from '../../src/encoder/settings/resolve-options.js';
import { canShareMemory, isShared } from '../../src/threads/shared-memory.js';
import { encodeFrames } from '../support/encode.js';

const SIZE = { width: 64, height: 48 };

afterEach(() => vi.unstubAllGlobals());

it('is shared on Node, and not where a page is not isolated', () => {
  expect(canShareMemory()).toBe(true);
  expect(isShared(new SharedArrayBuffer(4))).toBe(true);
  expect(isShared(new ArrayBuffer(4))).toBe(false);
  vi.stubGlobal('crossOriginIsolated', false);
  expect(canShareMemory()).toBe(false);
});

it.each(['cpu-predictive', 'cpu-mrmp'])('the bytes of one thread come from four, %s', async estimator => {
  const frames = () => generateSample({ kind: 'snow', ...SIZE, frames: 12, seed: 5 });
  const expected = await encodeFrames(frames(), { ...SIZE, estimator, threads: 1 });
  vi.stubGlobal('crossOriginIsolated', false);
  const warnings: string[] = [];
  const onWarning = (message: string) => warnings.push(message);
  const { stream } = await encodeFrames(frames(), { ...SIZE, estimator, threads: 4, onWarning });
  expect(Buffer.compare(stream, expected.stream)).toBe(0);
  expect(warnings).toEqual([]);
});

it.each([
  ['cpu-predictive', 2],
  ['gpu-mrmp', 2],
  ['cpu-full', 5],
])('%s has %i threads on five cores by default', (estimator, threads) => {
  vi.stubGlobal('process', undefined);
  vi.stubGlobal('navigator', { hardwareConcurrency: 5 });
  vi.stubGlobal('Worker', class {});
  const options = { ...SIZE, frameRate: 25, estimator };
  expect(resolveOptions(options).threads).toBe(5);
  vi.stubGlobal('crossOriginIsolated', false);
  expect(resolveOptions(options).threads).toBe(threads);
  vi.stubGlobal('Worker', undefined);
  expect(resolveOptions(options).threads).toBe(1);
});
