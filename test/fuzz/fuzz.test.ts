// The fuzzer for every commit: fixed seeds and the cases found before, so that nothing depends on chance.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { packagedFfmpeg } from '../support/decoders.js';
import { IS_SOAK } from '../support/soak.js';

const FUZZ = fileURLToPath(new URL('../../scripts/fuzz.mjs', import.meta.url));
const SEED = '13';

/** Cases of a kind. Searches on the GPU are those of test/gpu. */
const CASES = IS_SOAK
  ? { encode: 25, cli: 12, flags: 80, inputs: 50, estimators: 30 }
  : { encode: 12, cli: 6, flags: 50, inputs: 32, estimators: 15 };

/** The machine's own ffmpeg, which takes ten times as long to start, reads the cases of a soak. */
const ENVIRONMENT = IS_SOAK ? process.env : { ...process.env, FFMPEG_PATH: packagedFfmpeg() };

let printed = '';
let status: unknown;
beforeAll(async () => {
  const cases = Object.entries(CASES).map(([kind, count]) => `${kind}=${count}`);
  const child = spawn(process.execPath, [FUZZ, '--seed', SEED, '--cases', cases.join(',')], { env: ENVIRONMENT });
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', bytes => {
      printed += bytes;
    });
  }
  status = await new Promise(resolve => child.on('close', resolve));
}, 600_000);

it.each(Object.entries(CASES))('%s: %i random cases', (kind, cases) => {
  const [line = ''] = printed.split('\n').filter(each => each.startsWith(`${kind}, seed ${SEED}: `));
  expect(line, printed).toMatch(/ cases: [1-9]\d* right, \d+ refused, 0 failed/);
  expect(Number(/: (\d+) cases/.exec(line)![1])).toBeGreaterThanOrEqual(cases);
});

it('ends with status 0', () => {
  expect(status, printed).toBe(0);
});
