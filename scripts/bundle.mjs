// Bundles library, command line and the entries of threads into a few files under dist/package/: the package's code.
// They share what they have in common. Packages stay outside.
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { sourcesIn } from './compile.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = join(root, 'dist', 'package');

/** The workers, and the process that asks the graphics drivers, lie beside their hosts, as they do unbundled. */
const ENTRIES = {
  index: 'src/index.ts',
  node: 'src/node.ts',
  mpegpu: 'src/cli/main.ts',
  'coder-worker': 'src/encoder/coders/coder-worker.ts',
  'estimator-worker': 'src/motion/threads/estimator-worker.ts',
  'lookahead-worker': 'src/encoder/lookahead/thread/lookahead-worker.ts',
  'analysis-worker': 'src/encoder/lookahead/thread/analysis-worker.ts',
  'driver-process': 'src/gpu/device/driver-process.ts',
};

/** Whether the bundle is newer than all that it is made from. */
function isUpToDate() {
  const bundle = join(target, 'mpegpu.js');
  if (!existsSync(bundle)) return false;
  const made = statSync(bundle).mtimeMs;
  return [...sourcesIn('src'), fileURLToPath(import.meta.url)].every(path => statSync(path).mtimeMs < made);
}

/** Makes the bundle where something has changed. */
export async function bundle() {
  if (isUpToDate()) return;
  mkdirSync(target, { recursive: true });
  for (const name of readdirSync(target)) if (name.endsWith('.js')) rmSync(join(target, name));
  await build({
    entryPoints: Object.entries(ENTRIES).map(([out, path]) => ({ out, in: join(root, path) })),
    outdir: target,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    // Names stay as they are, for the stacks of errors.
    minifyWhitespace: true,
    minifySyntax: true,
  });
}
