// Bundles library, command line and the entries of threads into a few files under dist/package/: the package's code.
// They share what they have in common. Packages stay outside. What browsers load lies in dist/package/browser/.
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { sourcesIn } from './compile.mjs';
import { IN_BROWSERS } from './in-browsers.mjs';

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

/** What browsers load: the library, and the module that workers run. */
const BROWSER_ENTRIES = {
  index: 'src/index.ts',
  browser: 'src/browser.ts',
  worker: 'src/worker.ts',
};

/** Whether a bundle is newer than all that it is made from. */
function isUpToDate(bundle) {
  if (!existsSync(bundle)) return false;
  const made = statSync(bundle).mtimeMs;
  return [...sourcesIn('src'), fileURLToPath(import.meta.url)].every(path => statSync(path).mtimeMs < made);
}

const COMMON = {
  bundle: true,
  splitting: true,
  format: 'esm',
  minifyWhitespace: true,
  minifySyntax: true,
};

function entryPoints(entries) {
  return Object.entries(entries).map(([out, path]) => ({ out, in: join(root, path) }));
}

function clear(folder) {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (/\.(js|wasm)$/.test(name)) rmSync(join(folder, name));
}

/** Loads files that take other files' places. */
const forBrowsers = {
  name: 'for-browsers',
  setup(build) {
    build.onResolve({ filter: /\.js$/ }, ({ path, resolveDir }) => {
      const source = relative(root, join(resolveDir, path)).replaceAll('\\', '/').replace(/\.js$/, '.ts');
      const other = IN_BROWSERS[source];
      return other && { path: join(root, other) };
    });
  },
};

async function bundleForNode() {
  if (isUpToDate(join(target, 'mpegpu.js'))) return;
  clear(target);
  await build({
    ...COMMON,
    entryPoints: entryPoints(ENTRIES),
    outdir: target,
    platform: 'node',
    target: 'node20',
    packages: 'external',
  });
}

async function bundleForBrowsers() {
  const outdir = join(target, 'browser');
  if (isUpToDate(join(outdir, 'index.js'))) return;
  clear(outdir);
  await build({
    ...COMMON,
    entryPoints: entryPoints(BROWSER_ENTRIES),
    outdir,
    platform: 'browser',
    target: ['chrome113', 'firefox115', 'safari17'],
    plugins: [forBrowsers],
    minifyIdentifiers: true,
  });
  copyFileSync(join(root, 'dist', 'kernels.wasm'), join(outdir, 'kernels.wasm'));
}

/** Makes the bundles where something has changed. */
export async function bundle() {
  await Promise.all([bundleForNode(), bundleForBrowsers()]);
}
