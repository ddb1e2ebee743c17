// Runs vitest with a software GPU in its environment: `node scripts/test.mjs [vitest's arguments]`.
// With MPEGPU_TEST_GPU=real the machine's own GPU is used instead.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { swiftshaderEnvironment } from './swiftshader.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const gpu = process.env.MPEGPU_TEST_GPU === 'real' ? {} : swiftshaderEnvironment();
// No test goes beyond this machine, and node parses more certificates whenever it starts: in 100 ms instead of 30.
const { NODE_EXTRA_CA_CERTS: _, ...environment } = process.env;
const { status, signal, error } = spawnSync(
  process.execPath,
  [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit', env: { ...environment, ...gpu } },
);
if (error) throw error;
if (signal) console.error(`vitest ended by ${signal}`);
process.exitCode = status ?? 1;
