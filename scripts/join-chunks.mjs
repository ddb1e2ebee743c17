// Makes of the many chunks of a split bundle a few: a file costs a page a request, and a thread a millisecond.
import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { transform } from 'esbuild';
import { rollup } from 'rollup';
import { minify as terser } from 'terser';

/** Imports whose addresses are known at run time only. */
const UNKNOWN_IMPORTS = /\bimport\((?!["'])/g;

/** The bundles that `entries` import from the start, themselves included. */
export function importsOf(...entries) {
  const reached = new Set(entries);
  for (const path of reached) {
    const imports = readFileSync(path, 'utf8').matchAll(/\b(?:from|import)\s*"(\.[^"]+)"/g);
    for (const [, target] of imports) reached.add(join(dirname(path), target));
  }
  return reached;
}

/**
 * Joins the bundles of `from` and writes them to `to`; `entries` keep their names. `chunkOf` names the file that takes
 * a bundle; what it gives no name stays by itself where it is loaded later. `target`: the browsers that all is
 * minified for; not minified by default.
 */
export async function joinChunks({ from, to, entries, chunkOf, target }) {
  const inputs = Object.fromEntries(entries.map(name => [name, join(from, `${name}.js`)]));
  const paths = new Set(Object.values(inputs));
  const bundle = await rollup({
    input: inputs,
    external: name => !/^[./]/.test(name) && !isAbsolute(name),
    onLog(level, log) {
      throw new Error(`${level}: ${log.message}`);
    },
  });
  await bundle.write({
    dir: to,
    format: 'es',
    entryFileNames: '[name].js',
    // Without the hash of the split bundle. A page's file has one of its own; names that stay pack better.
    chunkFileNames: ({ name }) => `${name.replace(/-[A-Z0-9]{8}$/, '')}${target ? '-[hash]' : ''}.js`,
    hoistTransitiveImports: false,
    manualChunks: path => (paths.has(path) ? undefined : chunkOf(path)),
    plugins: target ? [{ name: 'minify', renderChunk: code => minify(code, target) }] : [],
  });
  await bundle.close();
}

async function minify(text, target) {
  const { code: whole } = await transform(text, { minify: true, format: 'esm', target });
  // Leaves out another 4 %, after gzip.
  const { code } = await terser(whole, { module: true, ecma: 2020, compress: { passes: 2 } });
  // Each bundler has its own comment for imports that it is to leave alone.
  return code.replace(UNKNOWN_IMPORTS, 'import(/* webpackIgnore: true *//* @vite-ignore */');
}
