// How vitest runs the tests.
import { availableParallelism } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const root = fileURLToPath(new URL('.', import.meta.url));

/** What puts a module of its own in the place of one of src/, and so needs the sources: a test, and the sources. */
const FROM_SOURCE = /^(test\/encoder\/report\/vector-bits\.test\.ts|src\/.*)$/;

/** What tests import from `src/` and `samples/` is loaded as the build made it: as users run it, and faster. */
const builtModules = {
  name: 'built-modules',
  enforce: 'pre' as const,
  resolveId(id: string, importer?: string) {
    if (!importer || !id.startsWith('.') || FROM_SOURCE.test(relative(root, importer))) return null;
    const [, folder, path] = /^(src|samples)\/(.*\.js)$/.exec(relative(root, resolve(dirname(importer), id))) ?? [];
    return path ? join(root, 'dist', folder === 'src' ? '' : 'samples', path) : null;
  },
};

/**
 * The tests of GPUs come last. Dawn and SwiftShader leave their worker with 300 MB more, and a worker that starts a
 * program copies its page tables first: 3 ms of processor time with 50 MB, 15 ms with 350 MB, 28 ms with 650 MB.
 */
class GpusLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isOfGpu = ({ moduleId }: TestSpecification) => moduleId.startsWith(join(root, 'test', 'gpu'));
    return [...sorted.filter(file => !isOfGpu(file)), ...sorted.filter(isOfGpu)];
  }
}

/** Vitest would leave a core free. Tests wait for ffmpeg, a browser and other processes: more workers than cores. */
const workers = Math.ceil(1.5 * availableParallelism());

export default defineConfig({
  test: {
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: workers,
    // No worker ends before the others: tinypool, with fewer at the least, ends one in its last answer.
    minWorkers: workers,
    globalSetup: 'scripts/before-tests.mjs',
    // A worker runs many files: node and vitest start once, not 141 times.
    isolate: false,
    include: ['test/**/*.test.ts'],
    sequence: { sequencer: GpusLast },
    server: { deps: { external: [/\/dist\//] } },
  },
  plugins: [builtModules],
});
