// Builds the package: AssemblyScript -> WebAssembly (embedded as base64, so that no file is read at run time), then tsc.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync, readdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = name => join(root, 'node_modules', '.bin', name);
const run = (name, args) => execFileSync(bin(name), args, { cwd: root, stdio: 'inherit' });

const wasm = join(root, 'dist', 'kernels.wasm');
const embedded = join(root, 'src', 'kernels', 'simd-binary.ts');
const newest = files => Math.max(...files.map(file => statSync(file).mtimeMs));
const sources = readdirSync(join(root, 'assembly')).filter(name => name.endsWith('.ts')).map(name => join(root, 'assembly', name));

if (!existsSync(embedded) || newest([...sources, fileURLToPath(import.meta.url)]) > newest([embedded])) {
  mkdirSync(join(root, 'dist'), { recursive: true });
  run('asc', [
    'assembly/index.ts', '--outFile', wasm,
    '-O3', '--converge', '--noAssert', '--enable', 'simd', '--runtime', 'stub', '--importMemory', '--zeroFilledMemory', '--initialMemory', '1',
  ]);
  const base64 = readFileSync(wasm).toString('base64');
  writeFileSync(embedded, `// Made by scripts/build.mjs from assembly/: not committed.\nexport const SIMD_BINARY_BASE64 =\n  '${base64}';\n`);
  rmSync(wasm);
}
// The shaders become string constants, so that no file is read at run time (a browser has none).
const shaderFolder = join(root, 'src', 'gpu', 'shaders');
const shaderEntries = readdirSync(shaderFolder).filter(name => name.endsWith('.wgsl')).sort().map(name => {
  return `  ${JSON.stringify(name.slice(0, -5))}: ${JSON.stringify(readFileSync(join(shaderFolder, name), 'utf8'))},\n`;
});
const shaderSources = `// Made by scripts/build.mjs from src/gpu/shaders/: not committed.\nexport const SHADER_SOURCES = {\n${shaderEntries.join('')}} as const;\n`;
const shaderModule = join(root, 'src', 'gpu', 'shader-sources.ts');
if (!existsSync(shaderModule) || readFileSync(shaderModule, 'utf8') !== shaderSources) writeFileSync(shaderModule, shaderSources);
run('tsc', ['-b', 'tsconfig.json', 'tsconfig.samples.json']);
