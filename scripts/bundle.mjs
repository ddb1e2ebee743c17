// Bundles the command line into a few files under dist/bin/: node takes about 0.5 ms for each file that it loads.
// Packages stay outside. So does errors.js: an estimator module of the user's own throws the same classes.
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const dist = fileURLToPath(new URL('../dist', import.meta.url));
const bin = join(dist, 'bin');

/** Whether the bundle is newer than all that it is made from. */
function isUpToDate() {
  const bundle = join(bin, 'mpegpu.js');
  if (!existsSync(bundle)) return false;
  const sources = readdirSync(dist, { recursive: true })
    .filter(name => name.endsWith('.js') && !name.startsWith('bin'))
    .map(name => join(dist, name));
  const made = statSync(bundle).mtimeMs;
  return [...sources, fileURLToPath(import.meta.url)].every(path => statSync(path).mtimeMs < made);
}

async function bundle() {
  rmSync(bin, { recursive: true, force: true });
  await build({
    // The workers, and the process that asks the graphics drivers, lie beside their hosts, as they do unbundled.
    entryPoints: {
      mpegpu: join(dist, 'cli/main.js'),
      'coder-worker': join(dist, 'encoder/coders/coder-worker.js'),
      'estimator-worker': join(dist, 'motion/threads/estimator-worker.js'),
      'lookahead-worker': join(dist, 'encoder/lookahead/thread/lookahead-worker.js'),
      'analysis-worker': join(dist, 'encoder/lookahead/thread/analysis-worker.js'),
      'driver-process': join(dist, 'gpu/device/driver-process.js'),
    },
    outdir: bin,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    plugins: [
      {
        name: 'errors stay one module',
        setup: ({ onResolve }) =>
          onResolve({ filter: /\/errors\.js$/ }, () => ({ path: '../errors.js', external: true })),
      },
    ],
  });
}

if (!isUpToDate()) await bundle();
