// Writes the shaders as string constants, because a browser can read no files.
// src/gpu/shader-sources.ts has all but those of the sort, which most pages do without. Leaves a file alone if nothing
// has changed.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const isOfSort = path => dirname(path) === 'sort';

/** Writes the shaders of a folder for which `isWanted` holds to `target`, as properties of a constant with a name. */
function embed(folder, target, name = 'SHADER_SOURCES', isWanted = () => true) {
  const shaders = new URL(`../${folder}/`, import.meta.url);
  const entries = readdirSync(shaders, { recursive: true })
    .map(path => path.replaceAll('\\', '/'))
    .filter(path => path.endsWith('.wgsl') && isWanted(path))
    .sort()
    .map(path => {
      const text = readFileSync(new URL(path, shaders), 'utf8');
      return `  ${JSON.stringify(basename(path, '.wgsl'))}: ${JSON.stringify(text)},\n`;
    });
  const source = `// Made by scripts/embed-shaders.mjs from ${folder}/: not committed.
export const ${name} = {
${entries.join('')}} as const;
`;
  const file = fileURLToPath(new URL(`../${target}`, import.meta.url));
  if (!existsSync(file) || readFileSync(file, 'utf8') !== source) writeFileSync(file, source);
}

embed('src/gpu/shaders', 'src/gpu/shader-sources.ts', 'SHADER_SOURCES', path => !isOfSort(path));
embed('src/gpu/shaders', 'src/gpu/sort/shader-sources.ts', 'SORT_SHADER_SOURCES', isOfSort);
embed('samples/snow/shaders', 'samples/snow/shader-sources.ts');
