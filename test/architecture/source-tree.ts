// The project's files by their paths. Parsing them is for source-files.ts: TypeScript takes long to load.
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's root folder. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Made by the build from other sources, and never committed. */
const GENERATED = [
  'src/kernels/simd-binary.ts',
  'src/kernels/vision-binary.ts',
  'src/gpu/shader-sources.ts',
  ...['conversion', 'pattern', 'sort', 'stereo'].map(part => `src/gpu/${part}/shader-sources.ts`),
  'samples/snow/shader-sources.ts',
  'src/compare/report/viewer/viewer-script.ts',
];

/** Folders with code of the project. */
export const CODE_FOLDERS = [
  'src',
  'assembly',
  'test',
  'bench',
  'samples',
  'examples',
  'scripts',
  'playground',
] as const;

/** Endings of code. */
export const CODE_ENDINGS = ['.ts', '.mjs', '.wgsl'] as const;

/** Every file below a folder of the project with one of these endings, as paths from the root. */
export function filesBelow(folder: string, endings: readonly string[]): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && endings.some(ending => entry.name.endsWith(ending)))
    .map(entry => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter(path => !GENERATED.includes(path) && !/(^|\/)(generated|results|node_modules)\//.test(path))
    .sort();
}
