// Compiles src/ and samples/ to dist/, a file for each, with esbuild.
// It reads no types: scripts/declarations.mjs has tsc check them. Only files newer than what was made of them.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The TypeScript files in a folder of the project and below, as paths. */
export function sourcesIn(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .filter(name => name.endsWith('.ts') && !name.startsWith('generated'))
    .map(name => join(root, folder, name));
}

/** What a thread or a process of its own runs. */
const ENTRIES = /-(worker|process)\.ts$/;

/** Compiles what is new in a folder of the project, but not entries. */
export async function compile(folder, outdir) {
  const target = join(root, outdir);
  const sources = sourcesIn(folder).filter(path => !ENTRIES.test(path));
  const madeOf = path => join(target, relative(join(root, folder), path).replace(/\.ts$/, '.js'));
  const changed = sources.filter(path => {
    const made = madeOf(path);
    return !existsSync(made) || statSync(made).mtimeMs < statSync(path).mtimeMs;
  });
  await build({
    entryPoints: changed,
    outbase: join(root, folder),
    outdir: target,
    format: 'esm',
    platform: 'node',
    target: 'es2022',
  });
}

/**
 * Entries run the package's bundle: a thread that loads a few files starts in half the time of one that loads a
 * hundred, and the tests start many.
 */
function linkEntries() {
  for (const path of sourcesIn('src').filter(path => ENTRIES.test(path))) {
    const made = join(root, 'dist', relative(join(root, 'src'), path).replace(/\.ts$/, '.js'));
    const bundled = join(root, 'dist', 'package', basename(made));
    const text = `export * from '${relative(dirname(made), bundled).replaceAll('\\', '/')}';\n`;
    const exported = readFileSync(path, 'utf8').includes('export default') ? text.replace('*', '{ default }') : text;
    if (existsSync(made) && readFileSync(made, 'utf8') === exported) continue;
    mkdirSync(dirname(made), { recursive: true });
    writeFileSync(made, exported);
  }
}

/** Compiles what a pool of threads loads by `require` to a folder of dist/. */
export async function compileLoader(outdir) {
  await build({
    entryPoints: [join(root, 'src', 'threads', 'node', 'thread-loader.cts')],
    outdir: join(root, outdir),
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    minifyWhitespace: true,
  });
}

/** Everything that tests and scripts load from dist/. */
export async function compileAll() {
  linkEntries();
  await Promise.all([
    compile('src', 'dist'),
    compile('samples', 'dist/samples'),
    compileLoader('dist/threads/node'),
    compileLoader('dist/package'),
  ]);
}
