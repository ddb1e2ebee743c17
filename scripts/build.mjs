// Builds the package: kernels to WebAssembly, shaders to strings, TypeScript to dist/, the command line into one piece.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = (name, args) =>
  execFileSync(join(root, 'node_modules', '.bin', name), args, { cwd: root, stdio: 'inherit' });

const ASC_OPTIONS = [
  '-O3',
  '--converge',
  '--noAssert',
  '--enable',
  'simd',
  '--enable',
  'threads',
  '--sharedMemory',
  '--maximumMemory',
  '65535',
  '--runtime',
  'stub',
  '--importMemory',
  '--zeroFilledMemory',
  '--initialMemory',
  '1',
];

/** What the module is made from, as one number: the sources, the compiler and its options. */
function digestOfKernels() {
  const hash = createHash('sha256');
  const folder = join(root, 'assembly');
  for (const name of readdirSync(folder, { recursive: true }).sort()) {
    if (name.endsWith('.ts')) hash.update(`${name}\n`).update(readFileSync(join(folder, name)));
  }
  hash.update(readFileSync(join(root, 'node_modules/assemblyscript/package.json')));
  return hash.update(ASC_OPTIONS.join(' ')).digest('hex');
}

/**
 * Compiles assembly/ and embeds the module as base64, so that no file is read at run time. Only where something
 * changed.
 */
function compileKernels() {
  const embedded = join(root, 'src', 'kernels', 'simd-binary.ts');
  const mark = `// Made by scripts/build.mjs from assembly/ with the digest ${digestOfKernels()}: not committed.\n`;
  if (existsSync(embedded) && readFileSync(embedded, 'utf8').startsWith(mark)) return;
  const wasm = join(root, 'dist', 'kernels.wasm');
  mkdirSync(join(root, 'dist'), { recursive: true });
  run('asc', ['assembly/index.ts', '--outFile', wasm, ...ASC_OPTIONS]);
  const base64 = readFileSync(wasm).toString('base64');
  writeFileSync(embedded, `${mark}export const SIMD_BINARY_BASE64 =\n  '${base64}';\n`);
  rmSync(wasm);
}

await import('./write-assembly-records.mjs');
compileKernels();
await import('./embed-shaders.mjs');
run('tsc', ['-b', 'tsconfig.json', 'tsconfig.samples.json']);
await import('./bundle.mjs');
