// Compiles src/ and samples/ to dist/, a file for each, with esbuild.
// It reads no types: scripts/declarations.mjs has tsc check them. Only files newer than what was made of them.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The TypeScript files in a folder of the project and below, as paths. */
export function sourcesIn(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .filter(name => name.endsWith('.ts') && !name.startsWith('generated'))
    .map(name => join(root, folder, name));
}

/** Compiles what is new in a folder of the project. */
export async function compile(folder, outdir) {
  const target = join(root, outdir);
  const sources = sourcesIn(folder);
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

/** Everything that tests and scripts load from dist/. */
export async function compileAll() {
  await Promise.all([compile('src', 'dist'), compile('samples', 'dist/samples')]);
}
