// Runs the test of the decoder's buffer over many random combinations of clip, rate, buffer and group.
// It is the property test of test/encoder/rate-control/rate-control-buffer.test.ts with more runs and another seed.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from './processes.mjs';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '2000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    help: { type: 'boolean', short: 'h' },
  },
});

if (values.help) {
  process.stdout.write('usage: node bench/vbv-soak.mjs [--runs 2000] [--seed N]\n');
} else {
  process.stdout.write(`${values.runs} combinations, seed ${values.seed}\n`);
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const test = join('test', 'encoder', 'rate-control', 'rate-control-buffer.test.ts');
  const { status } = spawnSync(process.execPath, [vitest, 'run', test, '-t', 'random combinations'], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, MPEGPU_VBV_RUNS: values.runs, MPEGPU_VBV_SEED: values.seed },
  });
  process.exitCode = status ?? 1;
}
