// Semi-global matching on the GPU equals its CPU twin, to the bit.
import { describe, expect, it } from 'vitest';
import { InputError, UnsupportedError } from '../../../src/errors.js';
import { createGpuMatcher } from '../../../src/gpu/stereo/gpu-matcher.js';
import { createCpuMatcher } from '../../../src/stereo/cpu-matcher.js';
import type { GrayPicture } from '../../../src/stereo/matcher.js';
import { type StereoOptions, stereoSettings } from '../../../src/stereo/stereo-options.js';
import { PEL_CONTENT_NAMES, type PelContent, pelsOf, seededRandom } from '../../kernels/kernel-pair.js';
import { gpuWith, gpuWithoutAdapter } from '../broken-gpu.js';
import { RUNS_WHOLE_GRID, shareGpu } from '../test-gpu.js';

interface Case extends StereoOptions {
  readonly width: number;
  readonly height: number;
}

/** Odd sizes, one row, every cost; a range that is no power of two leaves threads idle. */
const CASES: readonly Case[] = [
  { width: 45, height: 13, range: 16 },
  { width: 61, height: 3, range: 48, cost: 'census', p1: 3, p2: 200 },
  { width: 16, height: 1, range: 16, cost: 'bt', fill: false },
  ...(RUNS_WHOLE_GRID
    ? [
        { width: 130, height: 75, range: 64 },
        { width: 300, height: 20, range: 256, fill: false },
        { width: 450, height: 40, range: 128, p1: 0, p2: 0 },
      ]
    : []),
];

const gpu = shareGpu();

/** A pair: the right picture is the left one, displaced, or other pels of its kind. */
function pairOf(content: PelContent, width: number, height: number): [GrayPicture, GrayPicture] {
  const pels = pelsOf(content, seededRandom(width), width * height + 4);
  const picture = (from: number) => ({ width, height, pels: pels.subarray(from, from + width * height) });
  return [picture(0), picture(4)];
}

describe('gpu-sgm', () => {
  it.each(CASES)(
    'equals cpu-sgm: $width x $height, range $range, cost $cost',
    async ({ width, height, ...options }) => {
      const settings = stereoSettings(options);
      const [onGpu, onCpu] = [
        await createGpuMatcher(width, height, settings, { gpu }),
        await createCpuMatcher(width, height, settings),
      ];
      try {
        for (const content of PEL_CONTENT_NAMES) {
          const pair = pairOf(content, width, height);
          const [actual, expected] = [await onGpu.match(...pair), await onCpu.match(...pair)];
          expect(actual, content).toEqual(expected);
        }
        const times = onGpu.stageMs();
        if (times) expect(Math.min(...Object.values(times))).toBeGreaterThanOrEqual(0);
      } finally {
        await onGpu.close();
      }
    },
  );

  it('refuses pictures that are narrower than the range', async () => {
    await expect(createGpuMatcher(20, 4, stereoSettings({ range: 32 }), { gpu })).rejects.toThrow(InputError);
  });

  it('says why a machine cannot run it', async () => {
    const none = createGpuMatcher(20, 4, stereoSettings({ range: 16 }), { gpu: gpuWithoutAdapter() });
    await expect(none).rejects.toThrow(UnsupportedError);
    await expect(none).rejects.toThrow(/^gpu-sgm: no usable GPU/);
  });

  it('refuses a GPU that computes wrong', async () => {
    // It leaves the census out of the costs.
    const wrong = await gpuWith(device => {
      const create = device.createComputePipelineAsync.bind(device);
      device.createComputePipelineAsync = descriptor => {
        const constants = descriptor.label === 'stereo_costs' ? { HAS_CENSUS: 0, HAS_INTERVALS: 1 } : undefined;
        return create(constants ? { ...descriptor, compute: { ...descriptor.compute, constants } } : descriptor);
      };
      return device;
    }, gpu);
    const made = createGpuMatcher(20, 4, stereoSettings({ range: 16 }), { gpu: wrong });
    await expect(made).rejects.toThrow(/gpu-sgm: .* computes wrong disparities/);
  });
});
