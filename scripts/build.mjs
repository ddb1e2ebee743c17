// Builds the package: AssemblyScript -> WebAssembly (embedded as base64, so that no file is read at run time), then tsc,
// then the command line in one piece.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = name => join(root, 'node_modules', '.bin', name);
const run = (name, args) => execFileSync(bin(name), args, { cwd: root, stdio: 'inherit' });

const wasm = join(root, 'dist', 'kernels.wasm');
const embedded = join(root, 'src', 'kernels', 'simd-binary.ts');
const newest = files => Math.max(...files.map(file => statSync(file).mtimeMs));
const sources = readdirSync(join(root, 'assembly'), { recursive: true })
  .filter(name => name.endsWith('.ts'))
  .map(name => join(root, 'assembly', name));

if (!existsSync(embedded) || newest([...sources, fileURLToPath(import.meta.url)]) > newest([embedded])) {
  mkdirSync(join(root, 'dist'), { recursive: true });
  run('asc', [
    'assembly/index.ts',
    '--outFile',
    wasm,
    '-O3',
    '--converge',
    '--noAssert',
    '--enable',
    'simd',
    '--runtime',
    'stub',
    '--importMemory',
    '--zeroFilledMemory',
    '--initialMemory',
    '1',
  ]);
  const base64 = readFileSync(wasm).toString('base64');
  writeFileSync(
    embedded,
    `// Made by scripts/build.mjs from assembly/: not committed.\nexport const SIMD_BINARY_BASE64 =\n  '${base64}';\n`,
  );
  rmSync(wasm);
}
await import('./embed-shaders.mjs');
run('tsc', ['-b', 'tsconfig.json', 'tsconfig.samples.json']);
await import('./bundle.mjs');
