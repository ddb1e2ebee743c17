// Writes the shaders as string constants, because a browser can read no files.
// A folder of src/gpu/shaders/ that has the name of a folder in src/gpu/ becomes `shader-sources.ts` there, so that it
// is loaded with that part alone; all others become src/gpu/shader-sources.ts. Files whose text stays are left alone.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const gpu = join(root, 'src', 'gpu');
const shaders = join(gpu, 'shaders');
const snow = join(root, 'samples', 'snow');

/** The paths of the shaders of a folder. */
function shadersIn(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.name.endsWith('.wgsl'))
    .map(entry => join(folder, entry.name));
}

/** Writes the shaders of some folders to the folder `target`. */
function embed(target, ...folders) {
  const entries = folders
    .flatMap(shadersIn)
    .map(path => [basename(path, '.wgsl'), readFileSync(path, 'utf8')])
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, text]) => `  ${JSON.stringify(name)}: ${JSON.stringify(text)},\n`);
  const source = `// Made by scripts/embed-shaders.mjs: not committed.
export const SHADER_SOURCES = {
${entries.join('')}} as const;
`;
  const file = join(target, 'shader-sources.ts');
  if (!existsSync(file) || readFileSync(file, 'utf8') !== source) writeFileSync(file, source);
}

const folders = readdirSync(shaders, { withFileTypes: true }).filter(entry => entry.isDirectory());
const parts = folders.map(({ name }) => name).filter(name => existsSync(join(gpu, name)));
const others = folders.map(({ name }) => name).filter(name => !parts.includes(name));
for (const name of parts) embed(join(gpu, name), join(shaders, name));
embed(gpu, shaders, ...others.map(name => join(shaders, name)));
embed(snow, join(snow, 'shaders'));
