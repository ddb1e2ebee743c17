// GPU estimators that are made and closed: processes end by themselves, and no call is left hanging.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createGpuMrmp } from '../../src/gpu/gpu-estimators.js';
import type { EstimatorParameters } from '../../src/motion/estimator.js';
import { IS_SOAK } from '../support/soak.js';
import { picturePair } from './pictures.js';
import { IS_REAL_GPU, openTestGpu, SOFTWARE_FLAGS, sleepBetweenPolls } from './test-gpu.js';

const SCRIPT = fileURLToPath(new URL('./lifecycle.mjs', import.meta.url));
const BUILT = fileURLToPath(new URL('../../dist/gpu/gpu-estimators.js', import.meta.url));
/** On a software GPU, which compiles slowly, just enough for every stage of work at which an estimator is stopped. */
const CYCLES = IS_REAL_GPU ? 200 : IS_SOAK ? 24 : 6;
const PARAMETERS: EstimatorParameters = {
  width: 48,
  height: 32,
  metric: 'sad',
  blockSize: 16,
  range: { x: 1, y: 1 },
  candidatesPerBlock: 1,
  lambda: 0,
};

describe('a process that starts and stops estimators', () => {
  it.each(['main', 'worker'])('ends by itself, without a crash (%s thread)', { timeout: 300_000 }, async where => {
    expect(existsSync(BUILT), 'run the build first').toBe(true);
    const options = ['--expose-gc', SCRIPT, where, String(CYCLES)];
    const env = { ...process.env, MPEGPU_TEST_DAWN_FLAGS: IS_REAL_GPU ? '' : SOFTWARE_FLAGS.join(' ') };
    const { stdout } = await promisify(execFile)(process.execPath, options, { timeout: 290_000, env });
    expect(stdout).toMatch(/^answered \d+\n$/);
  });
});

describe('close', { timeout: 60_000 }, () => {
  sleepBetweenPolls();

  it('answers what is on the GPU, rejects what waits and what comes later, and may be called again', async () => {
    const estimator = await createGpuMrmp(PARAMETERS, { gpu: await openTestGpu(), depth: 2, pairs: 1 });
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
