// Signals at random moments, in a short form of bench/signals.mjs with a fixed seed.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { packagedFfmpeg } from '../support/decoders.js';
import { IS_SOAK } from '../support/soak.js';

const SIGNALS = fileURLToPath(new URL('../../bench/signals.mjs', import.meta.url));

it.runIf(process.platform === 'linux')('leave outputs complete, as they were, as .partial, or absent', () => {
  const [count, kills] = IS_SOAK ? [8, 2] : [4, 1];
  const args = ['--count', String(count), '--kills', String(kills), '--seed', '20'];
  // The machine's own ffmpeg takes ten times as long to start.
  const env = IS_SOAK ? process.env : { ...process.env, FFMPEG_PATH: packagedFfmpeg() };
  const { status, stdout, stderr } = spawnSync(process.execPath, [SIGNALS, ...args], { encoding: 'utf8', env });
  expect(stderr).toBe('');
  expect(stdout).toContain(`${count + kills} encodes, 0 with faults`);
  expect(status).toBe(0);
});
