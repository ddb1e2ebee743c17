// Before the tests: compiles src/ and samples/ if a file is newer than the last compilation.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const changedMs = path => statSync(path).mtimeMs;

/** vitest calls it once. */
export default function compileWhatChanged() {
  const record = join(root, 'dist', 'samples.tsbuildinfo'); // the one that tsc writes last
  const sources = ['src', 'samples'].flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true }).map(name => join(root, folder, name)),
  );
  const compiledMs = existsSync(record) ? changedMs(record) : 0;
  if (!sources.some(path => path.endsWith('.ts') && changedMs(path) > compiledMs)) return;
  const tsc = join(root, 'node_modules', '.bin', 'tsc');
  execFileSync(tsc, ['-b', 'tsconfig.json', 'tsconfig.samples.json'], { cwd: root, stdio: 'inherit' });
}
