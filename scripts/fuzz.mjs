// Runs the fuzzer on the built package: `npm run test:fuzz -- --seconds N --seed S`; --help says more.
// With MPEGPU_TEST_GPU=real the machine's own GPU is used instead of the software GPU.
import { rmSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { swiftshaderEnvironment } from './swiftshader.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/** As deep as test/cli, so that `import.meta.url` there finds dist/ from here as well. */
const folder = join(root, 'node_modules', `.fuzz-${process.pid}`);
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** The tests import src/ and samples/; the fuzzer runs what was built from them. */
const builtSources = {
  name: 'sources are those of dist/',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\.?\/.*\.js$/ }, ({ path, resolveDir }) => {
      const [top, ...rest] = relative(root, join(resolveDir, path)).split(sep);
      if (top === 'src') return { path: ['../../dist', ...rest].join('/'), external: true };
      return top === 'samples' ? { path: ['../../dist/samples', ...rest].join('/'), external: true } : undefined;
    }),
};

await build({
  entryPoints: ['main', 'case-worker'].map(name => join(root, 'test/fuzz/runner', `${name}.ts`)),
  outdir: folder,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  plugins: [builtSources],
});
const { main } = await import(pathToFileURL(join(folder, 'main.js')).href);
const gpu = process.env.MPEGPU_TEST_GPU === 'real' ? {} : swiftshaderEnvironment();
process.exitCode = await main(process.argv.slice(2), gpu);
