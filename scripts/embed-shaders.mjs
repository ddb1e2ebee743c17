// Writes the shaders as string constants, because a browser can read no files: those of src/gpu, and of the samples.
// Leaves a file alone if nothing has changed.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folders with `shaders/`, beside which `shader-sources.ts` is written. */
const FOLDERS = ['src/gpu', 'samples/snow'];

for (const parent of FOLDERS) {
  const folder = new URL(`../${parent}/shaders/`, import.meta.url);
  const target = fileURLToPath(new URL(`../${parent}/shader-sources.ts`, import.meta.url));
  const entries = readdirSync(folder, { recursive: true })
    .filter(path => path.endsWith('.wgsl'))
    .map(path => [basename(path, '.wgsl'), readFileSync(new URL(path, folder), 'utf8')])
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, text]) => `  ${JSON.stringify(name)}: ${JSON.stringify(text)},\n`);
  const source = `// Made by scripts/embed-shaders.mjs from ${parent}/shaders/: not committed.
export const SHADER_SOURCES = {
${entries.join('')}} as const;
`;
  if (!existsSync(target) || readFileSync(target, 'utf8') !== source) writeFileSync(target, source);
}
