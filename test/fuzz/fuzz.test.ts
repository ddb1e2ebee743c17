// The fuzzer for every commit: fixed seeds and the cases found before, so that nothing depends on chance.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const FUZZ = fileURLToPath(new URL('../../scripts/fuzz.mjs', import.meta.url));
const SEED = '13';

/** Cases of a kind, about 40 seconds together beside other tests. Searches on the GPU are those of test/gpu. */
const CASES = { encode: 25, cli: 12, flags: 80, inputs: 50, estimators: 30 } as const;

it.each(Object.entries(CASES))('%s: %i random cases', { timeout: 600_000 }, async (kind, cases) => {
  const child = spawn(process.execPath, [FUZZ, '--only', kind, '--seed', SEED, '--cases', String(cases)]);
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', bytes => {
      printed += bytes;
    });
  }
  const status = await new Promise(resolve => child.on('close', resolve));
  expect(status, printed).toBe(0);
  expect(printed).toMatch(new RegExp(`^${kind}, seed ${SEED}: \\d+ cases: [1-9]\\d* right`, 'm'));
});
