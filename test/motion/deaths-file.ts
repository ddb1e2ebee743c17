// The file that tells fixtures/dying-estimator.mjs when to die.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';

/** For the tests of the calling group: $MPEGPU_TEST_DEATHS is the path of a file of each test's own, not there yet. */
export function nameDeathsFile(): void {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'mpegpu-'));
    process.env.MPEGPU_TEST_DEATHS = join(folder, 'deaths');
  });
  afterEach(() => {
    delete process.env.MPEGPU_TEST_DEATHS;
    rmSync(folder, { recursive: true });
  });
}
