// Bundles library, command line and the entries of threads into a few files under dist/package/: the package's code.
// They share what they have in common. Packages stay outside. What browsers load lies in dist/package/browser/.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
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
  'mpegpu/worker': 'src/worker.ts',
};

/** Of these, what workers run. */
const WORKER = 'mpegpu/worker.js';

/** What browsers load by its address, and no bundler looks into: each is one file. */
const BROWSER_FILES = {
  'mpegpu/reference-kernels': 'src/kernels/reference-kernels.ts',
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
  for (const name of readdirSync(folder)) if (name.endsWith('.js')) rmSync(join(folder, name));
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

/**
 * Has the bundle `entry` import from the start what it would load by `import()`: Vite makes a worker of one file, and
 * cannot split it. The modules are put into a global variable, since bundlers leave out an import that is not used.
 */
function importAll(outputs, outdir, entry) {
  const reached = new Set([entry]);
  const [early, late] = [new Set(), new Set()];
  for (const output of reached) {
    for (const { path, kind } of outputs[output].imports) {
      (kind === 'dynamic-import' ? late : early).add(path);
      reached.add(path);
    }
  }
  const modules = [...late].filter(path => !early.has(path)).map(path => relative(dirname(entry), path));
  const names = modules.map((_, number) => `mpegpu${number}`);
  const imports = modules.map((path, number) => `import*as ${names[number]} from${JSON.stringify(path)};`);
  const path = join(outdir, entry);
  writeFileSync(path, `${imports.join('')}globalThis.mpegpu=[${names}];${readFileSync(path, 'utf8')}`);
}

/** Has bundlers leave the imports alone whose addresses are known at run time only: each has its own comment for it. */
function markImports(folder) {
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!name.endsWith('.js')) continue;
    const path = join(folder, name);
    const text = readFileSync(path, 'utf8');
    const marked = text.replace(/\bimport\((?!")/g, 'import(/* webpackIgnore: true *//* @vite-ignore */');
    if (marked !== text) writeFileSync(path, marked);
  }
}

async function bundleForBrowsers() {
  const outdir = join(target, 'browser');
  if (isUpToDate(join(outdir, 'index.js'))) return;
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(outdir, { recursive: true });
  const options = {
    ...COMMON,
    outdir,
    platform: 'browser',
    target: ['chrome113', 'firefox115', 'safari17'],
    plugins: [forBrowsers],
    minifyIdentifiers: true,
  };
  const [{ metafile }] = await Promise.all([
    build({ ...options, entryPoints: entryPoints(BROWSER_ENTRIES), metafile: true, absWorkingDir: outdir }),
    build({ ...options, entryPoints: entryPoints(BROWSER_FILES), splitting: false }),
  ]);
  importAll(metafile.outputs, outdir, WORKER);
  markImports(outdir);
  copyFileSync(join(root, 'dist', 'kernels.wasm'), join(outdir, 'mpegpu', 'kernels.wasm'));
}

/** Makes the bundles where something has changed. */
export async function bundle() {
  await Promise.all([bundleForNode(), bundleForBrowsers()]);
}
