// GPU estimators that are made and closed: processes end by themselves.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { IS_SOAK } from '../support/soak.js';
import { IS_REAL_GPU, SOFTWARE_FLAGS } from './test-gpu.js';

const SCRIPT = fileURLToPath(new URL('./lifecycle.mjs', import.meta.url));
const BUILT = fileURLToPath(new URL('../../dist/gpu/gpu-estimators.js', import.meta.url));
/** On a software GPU, which compiles slowly, just enough for every stage of work at which an estimator is stopped. */
const CYCLES = IS_REAL_GPU ? 200 : IS_SOAK ? 24 : 4;

describe('a process that starts and stops estimators', () => {
  it.each(['main', 'worker'])('ends by itself, without a crash (%s thread)', { timeout: 300_000 }, async where => {
    expect(existsSync(BUILT), 'run the build first').toBe(true);
    const options = ['--expose-gc', SCRIPT, where, String(CYCLES)];
    const env = { ...process.env, MPEGPU_TEST_DAWN_FLAGS: IS_REAL_GPU ? '' : SOFTWARE_FLAGS.join(' ') };
    const { stdout } = await promisify(execFile)(process.execPath, options, { timeout: 290_000, env });
    expect(stdout).toMatch(/^answered \d+\n$/);
  });
});
