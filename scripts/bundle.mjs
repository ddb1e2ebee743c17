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
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { sourcesIn } from './compile.mjs';
import { IN_BROWSERS } from './in-browsers.mjs';
import { importsOf, joinChunks } from './join-chunks.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = join(root, 'dist', 'package');

/** The workers, and the processes that are started, lie beside their hosts, as they do unbundled. */
const ENTRIES = {
  index: 'src/index.ts',
  node: 'src/node.ts',
  vision: 'src/vision.ts',
  farm: 'src/farm.ts',
  mpegpu: 'src/cli/main.ts',
  'coder-worker': 'src/encoder/coders/coder-worker.ts',
  'estimator-worker': 'src/motion/threads/estimator-worker.ts',
  'lookahead-worker': 'src/encoder/lookahead/thread/lookahead-worker.ts',
  'analysis-worker': 'src/encoder/lookahead/thread/analysis-worker.ts',
  'driver-process': 'src/gpu/device/driver-process.ts',
  'postgres-process': 'src/farm/embedded/postgres-process.ts',
  'encoder-process': 'src/farm/worker/encoder-process.ts',
};

/** What all threads run. */
const THREADS = ['coder-worker', 'estimator-worker', 'lookahead-worker', 'analysis-worker'];

/** What browsers load: the library, and the module that workers run. */
const BROWSER_ENTRIES = {
  index: 'src/index.ts',
  browser: 'src/browser.ts',
  'mpegpu/worker': 'src/worker.ts',
};

/** Of these, what workers run. */
const WORKER = 'mpegpu/worker';

/** The oldest browsers that can run it: they have WebAssembly with SIMD and module workers. */
const BROWSERS = ['chrome113', 'firefox115', 'safari17'];

/**
 * What is loaded when it is used, by the names of files in pages: what uses a GPU, where `gpu` has what the others need
 * as well, what watches over estimators of third parties, what keeps to a bit rate, and encodes in chunks.
 */
const LATER_PARTS = {
  gpu: 'gpu-estimators',
  sort: 'open-sorter',
  conversion: 'rgb-conversion',
  guard: 'guarded-estimator',
  rate: 'rate-controller',
  chunks: 'chunk-steps',
};

/** What browsers load by its address, and no bundler looks into: each is one file. */
const BROWSER_FILES = {
  'mpegpu/reference-kernels': 'src/kernels/reference-kernels.ts',
};

/** Whether a bundle is newer than all that it is made from. */
function isUpToDate(bundle) {
  if (!existsSync(bundle)) return false;
  const made = statSync(bundle).mtimeMs;
  const scripts = ['bundle.mjs', 'in-browsers.mjs', 'join-chunks.mjs'].map(name => join(root, 'scripts', name));
  return [...sourcesIn('src'), ...scripts].every(path => statSync(path).mtimeMs < made);
}

const COMMON = {
  bundle: true,
  splitting: true,
  format: 'esm',
  minifyWhitespace: true,
  minifySyntax: true,
};

/** Node shows the line that throws an error: one of a few hundred characters, not a file. Strings may be longer. */
const NODE_LINE_LIMIT = 500;

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

/** The text of a shader without comments, and without spaces and line ends that separate nothing. */
function shorten(text) {
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '').replace(/\s*\n\s*/g, '\n');
  return code
    .replace(/([;{},(])\n/g, '$1')
    .replace(/ ?([,;:{}()]) ?/g, '$1')
    .replace(/([\w)\]]) = /g, '$1=');
}

/** Shortens the shaders, which are two thirds of the GPU's code. */
const shortShaders = {
  name: 'short-shaders',
  setup(build) {
    build.onLoad({ filter: /shader-sources\.ts$/ }, ({ path }) => {
      const line = /^( {2}"\w+": )(".*"),$/gm;
      const contents = readFileSync(path, 'utf8').replace(
        line,
        (_, name, text) => `${name}${JSON.stringify(shorten(JSON.parse(text)))},`,
      );
      return { contents, loader: 'ts' };
    });
  },
};

/** Leaves out what tools and estimators are described by: only the command line and its page tell of that. */
const withoutDescriptions = {
  name: 'without-descriptions',
  setup(build) {
    build.onLoad({ filter: /[\\/](presets|built-in-estimators)\.ts$/ }, ({ path }) => {
      const contents = readFileSync(path, 'utf8').replace(/\b(meaning|summary):\s*(['"])(?:\\.|(?!\2).)*\2/g, "$1: ''");
      return { contents, loader: 'ts' };
    });
  },
};

/** Makes the bundle for Node where something has changed. */
export async function bundleForNode() {
  if (isUpToDate(join(target, 'mpegpu.js'))) return;
  clear(target);
  const parts = join(root, 'dist', 'parts');
  rmSync(parts, { recursive: true, force: true });
  await build({
    ...COMMON,
    entryPoints: entryPoints(ENTRIES),
    outdir: parts,
    platform: 'node',
    target: 'node20',
    lineLimit: NODE_LINE_LIMIT,
    packages: 'external',
    plugins: [shortShaders],
  });
  const entry = name => join(parts, `${name}.js`);
  const names = readdirSync(parts);
  const [encode, chunks, anchors] = ['encode-command-', 'chunk-steps-', 'known-anchors-'].map(start =>
    join(
      parts,
      names.find(name => name.startsWith(start)),
    ),
  );
  // A file takes all that it names and no file before it does: a program loads as few as there can be.
  const files = [
    ['coder', importsOf(entry('coder-worker'))],
    ['threads', importsOf(...THREADS.map(entry), anchors)],
    ['encoder', importsOf(entry('index'))],
    ['files', importsOf(entry('node'))],
    ['command-line', importsOf(entry('mpegpu'))],
    ['encode', importsOf(encode)],
    ['chunks', importsOf(chunks)],
  ];
  const chunkOf = path => files.find(([, imports]) => imports.has(path))?.[0];
  await joinChunks({ from: parts, to: target, entries: Object.keys(ENTRIES), chunkOf });
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

async function bundleForBrowsers() {
  const outdir = join(target, 'browser');
  if (isUpToDate(join(outdir, 'index.js'))) return;
  const parts = join(root, 'dist', 'browser-parts');
  for (const folder of [outdir, parts]) rmSync(folder, { recursive: true, force: true });
  mkdirSync(parts, { recursive: true });
  const options = {
    ...COMMON,
    platform: 'browser',
    target: BROWSERS,
    plugins: [forBrowsers, shortShaders, withoutDescriptions],
    minifyIdentifiers: true,
  };
  const [{ metafile }] = await Promise.all([
    build({
      ...options,
      entryPoints: entryPoints(BROWSER_ENTRIES),
      outdir: parts,
      absWorkingDir: parts,
      metafile: true,
    }),
    build({ ...options, entryPoints: entryPoints(BROWSER_FILES), outdir, splitting: false }),
  ]);
  importAll(metafile.outputs, parts, `${WORKER}.js`);
  const [core, threads] = ['index', WORKER].map(name => importsOf(join(parts, `${name}.js`)));
  const names = readdirSync(parts);
  const later = Object.entries(LATER_PARTS).map(([name, file]) => {
    const bundled = names.find(other => other.startsWith(`${file}-`));
    return [name, join(parts, bundled)];
  });
  const { rate, chunks } = Object.fromEntries(later.map(([name, path]) => [name, importsOf(path)]));
  const shared = importsOf(...later.map(([, path]) => path));
  // esbuild names what several bundles share `chunk`, and the others as their sources.
  const isLoadedLater = path => !basename(path).startsWith('chunk-');
  const chunkOf = path => {
    const part = later.find(([, file]) => file === path);
    if (part) return part[0];
    if (core.has(path)) return 'core';
    if (rate.has(path)) return 'rate';
    if (chunks.has(path)) return 'chunks';
    if (shared.has(path)) return 'gpu';
    return threads.has(path) || isLoadedLater(path) ? 'threads' : undefined;
  };
  await joinChunks({ from: parts, to: outdir, entries: Object.keys(BROWSER_ENTRIES), chunkOf, target: BROWSERS });
  copyFileSync(join(root, 'dist', 'kernels.wasm'), join(outdir, 'mpegpu', 'kernels.wasm'));
}

/** Makes the bundles where something has changed. */
export async function bundle() {
  await Promise.all([bundleForNode(), bundleForBrowsers()]);
}
