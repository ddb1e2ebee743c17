// Writes shaders as string constants, because a browser can read no files.
// Those of motion search become src/gpu/shader-sources.ts, those of stereo src/gpu/stereo/shader-sources.ts, which
// encoders do not load. Files are left alone if nothing has changed.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const gpu = fileURLToPath(new URL('../src/gpu/', import.meta.url));

/** Folders of shaders, and the folders whose TypeScript uses them. */
const FOLDERS = { shaders: '.', 'shaders/stereo': 'stereo' };

for (const [shaders, user] of Object.entries(FOLDERS)) {
  const folder = join(gpu, shaders);
  const target = join(gpu, user, 'shader-sources.ts');
  const entries = readdirSync(folder)
    .filter(name => name.endsWith('.wgsl'))
    .sort()
    .map(name => [name.slice(0, -'.wgsl'.length), readFileSync(join(folder, name), 'utf8')])
    .map(([name, text]) => `  ${JSON.stringify(name)}: ${JSON.stringify(text)},\n`);
  const source = `// Made by scripts/embed-shaders.mjs from src/gpu/${shaders}/: not committed.
export const SHADER_SOURCES = {
${entries.join('')}} as const;
`;
  if (!existsSync(target) || readFileSync(target, 'utf8') !== source) writeFileSync(target, source);
}
