// Writes the shaders as string constants, because a browser can read no files.
// src/gpu/shader-sources.ts has all but those of the sort, which most pages do without. Leaves a file alone if nothing
// has changed.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = new URL('../src/gpu/shaders/', import.meta.url);
const paths = readdirSync(folder, { recursive: true })
  .map(path => path.replaceAll('\\', '/'))
  .filter(path => path.endsWith('.wgsl'))
  .sort();
const isOfSort = path => dirname(path) === 'sort';

function embed(name, target, chosen) {
  const entries = chosen.map(path => {
    const text = readFileSync(new URL(path, folder), 'utf8');
    return `  ${JSON.stringify(basename(path, '.wgsl'))}: ${JSON.stringify(text)},\n`;
  });
  const source = `// Made by scripts/embed-shaders.mjs from src/gpu/shaders/: not committed.
export const ${name} = {
${entries.join('')}} as const;
`;
  const file = fileURLToPath(new URL(`../src/gpu/${target}`, import.meta.url));
  if (!existsSync(file) || readFileSync(file, 'utf8') !== source) writeFileSync(file, source);
}

embed(
  'SHADER_SOURCES',
  'shader-sources.ts',
  paths.filter(path => !isOfSort(path)),
);
embed('SORT_SHADER_SOURCES', 'sort/shader-sources.ts', paths.filter(isOfSort));
