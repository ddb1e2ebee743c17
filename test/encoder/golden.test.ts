// The streams that a change of the coder must not change unnoticed.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { generateSample, type SampleKind } from '../../samples/generate.js';
import type { EncoderOptions } from '../../src/encoder/options.js';
import { KERNEL_SET_NAMES, type KernelSetName } from '../../src/kernels/kernels.js';
import { encodeFrames } from '../support/encode.js';

/** What is encoded, and the first 16 hexadecimal digits of the SHA-256 of the stream. */
const GOLDEN: readonly {
  kind: SampleKind;
  width: number;
  height: number;
  frames: number;
  options: Partial<EncoderOptions>;
  hash: string;
}[] = [
  { kind: 'snow', width: 176, height: 144, frames: 6, options: { q: 4 }, hash: 'cd45f50622523987' },
  {
    kind: 'zoom',
    width: 90,
    height: 50,
    frames: 5,
    options: { q: 1, preset: 'fast', slices: 'rows' },
    hash: '20fd96abf53d3a17',
  },
  {
    kind: 'cut',
    width: 64,
    height: 48,
    frames: 8,
    options: { q: 12, preset: 'best', gop: 3 },
    hash: 'b17e1a1414f55640',
  },
  {
    kind: 'noise',
    width: 48,
    height: 48,
    frames: 3,
    options: { q: 31, motionReference: 'reconstructed' },
    hash: '605aaf6d7954412e',
  },
  {
    kind: 'snow',
    width: 90,
    height: 50,
    frames: 6,
    options: { q: 3, preset: 'fastest', estimator: 'cpu-predictive' },
    hash: '367e8613ce1cad06',
  },
  {
    kind: 'zoom',
    width: 64,
    height: 48,
    frames: 5,
    options: { quality: 50, preset: 'smallest' },
    hash: '74ed26d62925062a',
  },
  { kind: 'snow', width: 64, height: 48, frames: 8, options: { bitrate: 200_000, gop: 4 }, hash: '27f34ca4340ae05d' },
  {
    kind: 'zoom',
    width: 64,
    height: 48,
    frames: 8,
    options: { bitrate: 150_000, preset: 'fast', latency: 'low', intraRefresh: 'columns', gop: 5 },
    hash: '393374d12965d6cb',
  },
  { kind: 'pan', width: 64, height: 48, frames: 5, options: { q: 6, tune: 'ssim' }, hash: 'a4313102bf54c5ac' },
  {
    kind: 'zoom',
    width: 90,
    height: 50,
    frames: 8,
    options: { q: 8, tools: { temporalFilter: true } },
    hash: 'c5425488b989b7b4',
  },
];

async function hashOf(golden: (typeof GOLDEN)[number], kernels: KernelSetName): Promise<string> {
  const { kind, width, height, frames, options } = golden;
  const sample = generateSample({ kind, width, height, frames, seed: 1 });
  const { stream } = await encodeFrames(sample, { width, height, kernels, estimator: 'cpu-mrmp', ...options });
  return createHash('sha256').update(stream).digest('hex').slice(0, 16);
}

describe.each(KERNEL_SET_NAMES)('kernels %s', kernels => {
  it.each(GOLDEN)('$kind $width x $height $options', { timeout: 300_000 }, async golden => {
    expect(await hashOf(golden, kernels)).toBe(golden.hash);
  });
});
