// Bundles the command line into a few files under dist/bin/: node takes about 0.5 ms for each file that it loads.
// Packages stay outside. So does errors.js: an estimator module of the user's own throws the same classes.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const dist = fileURLToPath(new URL('../dist', import.meta.url));
const bin = join(dist, 'bin');

rmSync(bin, { recursive: true, force: true });
await build({
  // The worker lies beside its host, as it does unbundled.
  entryPoints: {
    mpegpu: join(dist, 'cli/main.js'),
    'estimator-worker': join(dist, 'motion/threads/estimator-worker.js'),
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
