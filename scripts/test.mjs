// Runs vitest with a software GPU in its environment: `node scripts/test.mjs [--soak] [--real-gpu] [...]`.
// --soak runs the whole grids; --real-gpu uses the machine's own GPU.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { swiftshaderEnvironment } from './swiftshader.mjs';

/** Arguments of this script, with what they set: on Windows no command line sets variables as it does elsewhere. */
const FLAGS = { '--soak': { MPEGPU_TEST_SOAK: '1' }, '--real-gpu': { MPEGPU_TEST_GPU: 'real' } };

const root = fileURLToPath(new URL('..', import.meta.url));
const given = process.argv.slice(2);
// No test goes beyond this machine, and node parses more certificates whenever it starts: in 100 ms instead of 30.
const { NODE_EXTRA_CA_CERTS: _, ...environment } = Object.assign({ ...process.env }, ...given.map(word => FLAGS[word]));
const gpu = environment.MPEGPU_TEST_GPU === 'real' ? {} : swiftshaderEnvironment();
const { status, signal, error } = spawnSync(
  process.execPath,
  [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...given.filter(word => !Object.hasOwn(FLAGS, word))],
  { cwd: root, stdio: 'inherit', env: { ...environment, ...gpu } },
);
if (error) throw error;
if (signal) console.error(`vitest ended by ${signal}`);
process.exitCode = status ?? 1;
