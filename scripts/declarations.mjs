// Checks the types of src/ and writes the declarations of the package's entries: dist/package/index.d.ts and others.
// Each is rolled up from the declarations of all files (dist/types); what several have lies in files beside them.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const types = join(root, 'dist', 'types');
const target = join(root, 'dist', 'package');

const ENTRIES = ['index', 'node', 'browser', 'vision', 'farm'];

/** Whether the rolled up declarations are newer than all that they are made from. */
function isUpToDate() {
  const entry = join(target, 'index.d.ts');
  if (!existsSync(entry)) return false;
  const made = statSync(entry).mtimeMs;
  const sources = readdirSync(types, { recursive: true }).map(name => join(types, name));
  return [...sources, fileURLToPath(import.meta.url)].every(path => statSync(path).mtimeMs < made);
}

async function rollUp() {
  const [{ rollup }, { dts }] = await Promise.all([import('rollup'), import('rollup-plugin-dts')]);
  const bundle = await rollup({
    input: Object.fromEntries(ENTRIES.map(name => [name, join(types, `${name}.d.ts`)])),
    plugins: [dts()],
    external: /^node:/,
  });
  for (const name of readdirSync(target)) if (name.endsWith('.d.ts')) rmSync(join(target, name));
  await bundle.write({ dir: target, entryFileNames: '[name].d.ts', chunkFileNames: 'shared.d.ts' });
  await bundle.close();
}

// Not by its name: node_modules/.bin/tsc is that of @typescript/typescript6, which the roll-up needs.
execFileSync(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-b'], {
  cwd: root,
  stdio: 'inherit',
});
if (!isUpToDate()) await rollUp();
