// How vitest runs the tests.
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const root = fileURLToPath(new URL('.', import.meta.url));

/** A file's path in the project, with slashes on Windows, too. */
function pathInProject(path: string): string {
  return relative(root, path).replaceAll('\\', '/');
}

/** What puts a module of its own in the place of one of src/, and so needs the sources: a test, and the sources. */
const FROM_SOURCE = /^(test\/encoder\/report\/vector-bits\.test\.ts|src\/.*)$/;

/** What tests import from `src/` and `samples/` is loaded as the build made it: as users run it, and faster. */
const builtModules = {
  name: 'built-modules',
  enforce: 'pre' as const,
  resolveId(id: string, importer?: string) {
    if (!importer || !id.startsWith('.') || FROM_SOURCE.test(pathInProject(importer))) return null;
    const wanted = pathInProject(resolve(dirname(importer), id));
    const [, folder, path] = /^(src|samples)\/(.*\.js)$/.exec(wanted) ?? [];
    return path ? join(root, 'dist', folder === 'src' ? '' : 'samples', path) : null;
  },
};

/** What a test imports that starts ffmpeg, `mpegpu` or another program again and again. */
const STARTS_PROGRAMS = /\/(run-cli|farm-site|decoders|expect-shown|ffmpeg-clips)\.js'|'node:child_process'/;
/** A browser is started once, and the bundlers for its pages leave 300 MB. */
const STARTS_BROWSER = /chromium\.js'|package-page\.js'/;

/** A file's place: those that start programs, then others, then those of GPUs. */
function placeOf({ moduleId }: TestSpecification): number {
  if (pathInProject(moduleId).startsWith('test/gpu/')) return 2;
  const text = readFileSync(moduleId, 'utf8');
  return STARTS_PROGRAMS.test(text) && !STARTS_BROWSER.test(text) ? 0 : 1;
}

/**
 * Files that start programs come first, while workers are small, and those of GPUs last: a worker that starts a program
 * copies its page tables, in 2 ms of processor time with 50 MB, 8 ms with 150 MB, 27 ms with 650 MB. A worker has 50 MB
 * at first, 600 MB after 90 files, and Dawn and SwiftShader leave it with 300 MB more.
 */
class ProgramsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const places = new Map(sorted.map(file => [file, placeOf(file)]));
    return sorted.sort((a, b) => places.get(a)! - places.get(b)!);
  }
}

/** Vitest would leave a core free. Tests wait for ffmpeg, a browser and other processes: more workers than cores. */
const workers = Math.ceil(1.5 * availableParallelism());

/**
 * A worker runs a hundred files, each once, with threads and arrays that die young. V8 compiles a function later (the
 * budget is fifteen times its own), and collects on one thread: all cores are busy. What a worker forks has these
 * flags, too; what it starts otherwise, such as `mpegpu`, runs as users run it.
 */
const V8_FLAGS = [
  ...(process.versions.v8.startsWith('11.') ? ['--interrupt-budget=1000000'] : []), // later ones do not know it
  '--single-threaded-gc',
];

export default defineConfig({
  test: {
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: workers,
    // No worker ends before the others: tinypool, with fewer at the least, ends one in its last answer.
    minWorkers: workers,
    poolOptions: { forks: { execArgv: V8_FLAGS } },
    globalSetup: 'scripts/before-tests.mjs',
    setupFiles: 'test/support/equal-bytes.ts',
    // A worker runs many files: node and vitest start once, not 141 times.
    isolate: false,
    include: ['test/**/*.test.ts'],
    sequence: { sequencer: ProgramsFirst },
    server: { deps: { external: [/\/dist\//] } },
  },
  plugins: [builtModules],
});
