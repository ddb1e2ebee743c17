// Tests of measuring motion fields against true flow and true disparity.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { generateSample } from '../../../samples/generate.js';
import type { TrueMotion } from '../../../samples/true-motion.js';
import { badPixels } from '../../../src/compare/motion-fields/disparity-error.js';
import { endpointError, flowOfField } from '../../../src/compare/motion-fields/flow-error.js';
import { searchPairs } from '../../../src/compare/motion-fields/pair-search.js';
import { InputError } from '../../../src/errors.js';
import { createEstimator } from '../../../src/motion/registry.js';
import { handMadeField } from '../hand-made-field.js';

describe('flowOfField', () => {
  it('gives each pel the best vector of its block', () => {
    const size = { width: 18, height: 9 };
    const field = handMadeField(size, 8, (column, row) => [column - row, 10 * row], 2);
    const { width, height, u, v } = flowOfField(field, size.width, size.height);
    expect([width, height, u.length, v.length]).toEqual([18, 9, 162, 162]);
    for (const [x, y] of [
      [0, 0],
      [7, 7],
      [8, 7],
      [17, 7],
      [0, 8],
      [17, 8],
    ]) {
      const column = Math.floor(x / 8);
      const row = Math.floor(y / 8);
      expect([u[y * 18 + x], v[y * 18 + x]]).toEqual([column - row, 10 * row]);
    }
  });
});

describe('endpointError', () => {
  const flow = (u: number[], v: number[]) => ({
    width: u.length,
    height: 1,
    u: Float32Array.from(u),
    v: Float32Array.from(v),
  });

  it('equals what is worked out by hand', () => {
    // Errors: 5, 0, 1, 3; the last pel but one is not known.
    const estimated = flow([3, 1, 0, 7, 0], [4, 1, 1, 7, 3]);
    const truth = flow([0, 1, 0, 1e10, 0], [0, 1, 0, 0, 0]);
    expect(endpointError(estimated, truth, 'truth.flo')).toEqual({
      mean: 9 / 4,
      median: 2,
      above1: 2 / 4,
      above3: 1 / 4,
      flAll: 1 / 4,
      pels: 4,
    });
  });

  it('counts outliers as KITTI 2015 does: above 3 pels and above 5 % of the true length', () => {
    // True lengths 100, 100, 60, 60, 0, 10 and unknown; the limits are 5, 5, 3, 3, 3 and 3 pels.
    const truth = flow([100, 0, 60, 60, 0, 6, 1e10], [0, -100, 0, 0, 0, 8, 1e10]);
    //           error 5, no outlier; 5.5; 3, none; 3.25; 4; 2, none
    const estimated = flow([95, 0, 63, 60, 4, 6, 0], [0, -94.5, 0, 3.25, 0, 10, 0]);
    expect(endpointError(estimated, truth, 'truth.png')).toMatchObject({ flAll: 3 / 6, above3: 4 / 6, pels: 6 });
  });

  it('leaves out what is unknown in either component, and what is no number', () => {
    const estimated = flow([0, 0, 0, 0], [0, 0, 0, 0]);
    const truth = flow([-2e9, 0, Number.NaN, 2], [0, 2e9, 0, 0]);
    expect(endpointError(estimated, truth, 'truth.flo')).toMatchObject({ mean: 2, median: 2, pels: 1 });
  });

  it('refuses another size, and a truth that knows nothing', () => {
    expect(() => endpointError(flow([0], [0]), flow([0, 0], [0, 0]), 'a.flo')).toThrow(/a\.flo is the flow of 2x1/);
    expect(() => endpointError(flow([0], [0]), flow([1e10], [0]), 'a.flo')).toThrow(
      /a\.flo knows the motion of no pel/,
    );
  });
});

describe('badPixels', () => {
  const truth = { name: 'truth.png', width: 4, height: 1 };
  const field = handMadeField(truth, 16, () => [-10, 3]);

  it('takes disparity for motion to the left, leaves out 0 and the mask', () => {
    const disparity = Float32Array.of(10, 11.5, 13, 0);
    expect(badPixels(field, 4, 1, { ...truth, disparity })).toEqual({
      above1: 2 / 3,
      above2: 1 / 3,
      meanError: 1.5,
      pels: 3,
    });
    expect(badPixels(field, 4, 1, { ...truth, disparity, mask: [255, 1, 0, 255] })).toEqual({
      above1: 1 / 2,
      above2: 0,
      meanError: 0.75,
      pels: 2,
    });
  });

  it('refuses another size, and a mask that leaves nothing', () => {
    const disparity = Float32Array.of(10, 10, 10, 10);
    expect(() => badPixels(field, 5, 1, { ...truth, disparity })).toThrow(/truth\.png is 4x1, the frames are 5x1/);
    expect(() => badPixels(field, 4, 1, { ...truth, disparity, mask: [0, 0, 0, 0] })).toThrow(InputError);
  });

  it('finds the layers of a made stereo pair', async () => {
    const size = { width: 192, height: 128 };
    const sample = generateSample({ kind: 'stereo', ...size, frames: 2, seed: 7 });
    const disparity = leftDisparity(sample.trueMotion(1)!, size);
    const truth = { name: 'truth', ...size, disparity, mask: wholeBlocks(disparity, size.width) };
    const { estimator } = await createEstimator('cpu-full', {
      ...size,
      metric: 'sad',
      blockSize: 8,
      range: { x: 32, y: 0 },
      candidatesPerBlock: 1,
      lambda: 0,
    });
    for await (const { field } of searchPairs({ frames: sample, reference: 'next', estimator })) {
      const report = badPixels(field, size.width, size.height, truth);
      expect(report.pels).toBeGreaterThan(0.35 * size.width * size.height);
      expect(report).toMatchObject({ above1: 0, above2: 0, meanError: 0 });
      const still = handMadeField(size, 8, () => [0, 0]);
      expect(badPixels(still, size.width, size.height, truth).above1).toBe(1);
    }
    await estimator.close();
  });
});

/** The left picture's disparity where a whole block of the right one (which knows its motion) came from there. */
function leftDisparity(motion: TrueMotion, { width, height }: { width: number; height: number }): Float32Array {
  const disparity = new Float32Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const block = Math.floor(y / 16) * motion.blockColumns + Math.floor(x / 16);
      if (motion.reliable[block]) disparity[y * width + x + motion.dx[block]] = motion.dx[block];
    }
  }
  return disparity;
}

/** 1 where all pels of an 8x8 block are of one known disparity: what a block's one vector can tell. */
function wholeBlocks(disparity: Float32Array, width: number): Uint8Array {
  return Uint8Array.from(disparity, (_, pel) => {
    const corner = pel - (pel % 8) - (Math.floor(pel / width) % 8) * width;
    for (let y = 0; y < 8; y++) {
      for (let x = 0; x < 8; x++) if (disparity[corner + y * width + x] !== disparity[corner]) return 0;
    }
    return 1;
  });
}

const SEQUENCES = fileURLToPath(new URL('../../../../shared/sequences', import.meta.url));

describe.runIf(existsSync(SEQUENCES))('real pairs with known motion', async () => {
  const { readFile } = await import('node:fs/promises');
  const { decodeFlo } = await import('../../../src/media/maps/flo-format.js');
  const { readClip } = await import('../../support/clips.js');

  it.each(['flow_rubberwhale', 'flow_urban2'])(
    'full search comes nearer to the truth of %s than no motion',
    async name => {
      const path = `${SEQUENCES}/${name}/flow10.flo`;
      const truth = decodeFlo(path, await readFile(path));
      const frames = await readClip(`${SEQUENCES}/${name}`);
      const errorOf = async (choice: string) => {
        const { estimator } = await createEstimator(choice, {
          width: Math.ceil(truth.width / 16) * 16,
          height: Math.ceil(truth.height / 16) * 16,
          metric: 'sad',
          blockSize: 16,
          range: { x: 32, y: 16 },
          candidatesPerBlock: 1,
          lambda: 0,
        });
        for await (const { field } of searchPairs({ frames, reference: 'next', estimator })) {
          return endpointError(flowOfField(field, truth.width, truth.height), truth, path);
        }
        throw new Error(`${name} has no pair`);
      };
      const still = await errorOf('zero');
      const searched = await errorOf('cpu-full');
      expect(searched.mean).toBeLessThan(0.5 * still.mean);
      expect(searched.above1).toBeLessThan(0.5 * still.above1);
    },
  );
});
