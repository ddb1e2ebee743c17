// Writes src/gpu/shader-sources.ts: the shaders as string constants, because a browser can read no files.
// Leaves the file alone if nothing has changed.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = new URL('../src/gpu/shaders/', import.meta.url);
const target = fileURLToPath(new URL('../src/gpu/shader-sources.ts', import.meta.url));

const entries = readdirSync(folder, { recursive: true })
  .filter(path => path.endsWith('.wgsl'))
  .map(path => [basename(path, '.wgsl'), readFileSync(new URL(path, folder), 'utf8')])
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([name, text]) => `  ${JSON.stringify(name)}: ${JSON.stringify(text)},\n`);
const source = `// Made by scripts/embed-shaders.mjs from src/gpu/shaders/: not committed.
export const SHADER_SOURCES = {
${entries.join('')}} as const;
`;
if (!existsSync(target) || readFileSync(target, 'utf8') !== source) writeFileSync(target, source);
