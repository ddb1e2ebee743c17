// Makes of the many chunks of a split bundle a few: each costs a page a request, and small files compress badly.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { transform } from 'esbuild';
import { rollup } from 'rollup';
import { minify as terser } from 'terser';

/** Imports whose addresses are known at run time only. */
const UNKNOWN_IMPORTS = /\bimport\((?!["'])/g;

/** The bundles that `entry` imports from the start, itself included. */
function importsOf(entry) {
  const reached = new Set([entry]);
  for (const path of reached) {
    const imports = readFileSync(path, 'utf8').matchAll(/\b(?:from|import)\s*"(\.[^"]+)"/g);
    for (const [, target] of imports) reached.add(join(dirname(path), target));
  }
  return reached;
}

/**
 * Joins the bundles of `from` and writes them to `to`: `entries` keep their names; `core` is what the entry `index`
 * imports, `threads` what a worker imports besides, and what is loaded later, such as GPU code, stays by itself. What
 * the sort shares with the GPU estimators is in their chunk.
 */
export async function joinChunks({ from, to, entries, worker, target }) {
  const inputs = Object.fromEntries(entries.map(name => [name, join(from, `${name}.js`)]));
  const core = importsOf(inputs.index);
  const threads = importsOf(inputs[worker]);
  const sort = join(
    from,
    readdirSync(from).find(name => /^open-sorter-.*\.js$/.test(name)),
  );
  const withSort = importsOf(sort);
  const isEntry = path => Object.values(inputs).includes(path);
  // esbuild names what several bundles share `chunk`, and the others as their sources.
  const isLoadedLater = path => !basename(path).startsWith('chunk-');
  const chunkOf = path => {
    if (isEntry(path)) return undefined;
    if (path === sort) return 'sort';
    if (/gpu-estimators/.test(path)) return 'gpu';
    if (core.has(path)) return 'core';
    if (withSort.has(path)) return 'gpu';
    return threads.has(path) || isLoadedLater(path) ? 'threads' : undefined;
  };
  const bundle = await rollup({
    input: inputs,
    onLog(level, log) {
      throw new Error(`${level}: ${log.message}`);
    },
  });
  await bundle.write({
    dir: to,
    format: 'es',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    hoistTransitiveImports: false,
    manualChunks: chunkOf,
    plugins: [{ name: 'minify', renderChunk: code => minify(code, target) }],
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
