// How vitest runs the tests.
import { availableParallelism } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('.', import.meta.url));

/** Tests that put a module of their own in the place of one of src/. */
const MOCKING = ['test/encoder/report/vector-bits.test.ts'];

/** What tests import from `src/` and `samples/` is loaded as the build made it: as users run it, and faster. */
const builtModules = {
  name: 'built-modules',
  enforce: 'pre' as const,
  resolveId(id: string, importer?: string) {
    if (!importer || !id.startsWith('.')) return null;
    const [, folder, path] = /^(src|samples)\/(.*\.js)$/.exec(relative(root, resolve(dirname(importer), id))) ?? [];
    return path ? join(root, 'dist', folder === 'src' ? '' : 'samples', path) : null;
  },
};

export default defineConfig({
  test: {
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Vitest would leave a core free. Tests wait for ffmpeg, a browser and each other's processes: more workers than cores.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    globalSetup: 'scripts/compile-what-changed.mjs',
    server: { deps: { external: [/\/dist\//] } },
    projects: [
      { extends: true, plugins: [builtModules], test: { include: ['test/**/*.test.ts'], exclude: MOCKING } },
      { extends: true, test: { name: 'source', include: MOCKING } },
    ],
  },
});
