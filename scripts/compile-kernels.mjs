// Compiles assembly/ to WebAssembly modules.
// Each is a file in dist/, which browsers can load, and a source in src/kernels/, base64 there, so that Node reads no
// file at run time.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The modules: what each exports, its file, its source. */
const MODULES = [
  { entry: 'assembly/index.ts', wasm: 'kernels.wasm', source: 'simd-binary.ts' },
  { entry: 'assembly/vision.ts', wasm: 'vision-kernels.wasm', source: 'vision-binary.ts' },
];

const DECODER = `/** The module of the SIMD kernels, compiled. */
export function compileSimdModule(_url?: string): Promise<WebAssembly.Module> {
  return WebAssembly.compile(Buffer.from(BASE64, 'base64'));
}
`;

const ASC_OPTIONS = [
  '-O3',
  // Functions are inlined where the sources say so: the module is smaller by 3 % (docs/decisions/hot-path.md).
  '--shrinkLevel',
  '1',
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
  return hash.update(ASC_OPTIONS.join(' ')).update(DECODER).digest('hex');
}

/** Does nothing where nothing has changed. */
export async function compileKernels() {
  const mark = `// Made by scripts/compile-kernels.mjs from assembly/ with the digest ${digestOfKernels()}: not committed.\n`;
  await Promise.all(MODULES.map(module => compileModule(module, mark)));
}

async function compileModule({ entry, wasm, source }, mark) {
  const embedded = join(root, 'src', 'kernels', source);
  const file = join(root, 'dist', wasm);
  if (existsSync(file) && existsSync(embedded) && readFileSync(embedded, 'utf8').startsWith(mark)) return;
  mkdirSync(join(root, 'dist'), { recursive: true });
  const compiler = join(root, 'node_modules', 'assemblyscript', 'bin', 'asc.js');
  try {
    const { stderr } = await promisify(execFile)(
      process.execPath,
      [compiler, entry, '--outFile', file, ...ASC_OPTIONS],
      { cwd: root },
    );
    process.stderr.write(stderr);
  } catch (error) {
    throw new Error(`${entry} does not compile:\n${error.stderr}`);
  }
  const base64 = readFileSync(file).toString('base64');
  writeFileSync(embedded, `${mark}const BASE64 =\n  '${base64}';\n\n${DECODER}`);
}
