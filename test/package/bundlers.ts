// The bundlers that take the package, each with the configuration that docs/browser.md states.
import { copyFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import * as esbuild from 'esbuild';
import { rollup } from 'rollup';
import { createLogger, createServer, type InlineConfig, type ViteDevServer, build as viteBuild } from 'vite';
import type { Configuration, Stats } from 'webpack';
import { ISOLATION } from '../support/web-server.js';

/** Bundles main.js of the folder `home` into the folder `out` as app.js; returns the warnings. */
export type Bundler = (home: string, out: string) => Promise<readonly string[]>;

/** What browsers load, in a folder that uses the package. */
const PACKAGE = join('node_modules', 'mpegpu', 'dist', 'package', 'browser');

/** Copies the kernels, for bundlers that copy no files. */
function copyKernels(home: string, out: string): void {
  for (const name of ['kernels.wasm', 'reference-kernels.js']) {
    copyFileSync(join(home, PACKAGE, 'mpegpu', name), join(out, 'mpegpu', name));
  }
}

/** A logger of Vite that keeps warnings. */
function quietLogger(warnings: string[]) {
  const keep = (message: string) => void warnings.push(message);
  return { ...createLogger('warn'), warn: keep, warnOnce: keep, error: keep };
}

/** Nothing is configured but where things are, and that the output need not be small. */
const viteWith =
  (entry: string, options: InlineConfig = {}): Bundler =>
  async (home, out) => {
    const warnings: string[] = [];
    const rollupOptions = { input: join(home, entry), output: { entryFileNames: 'app.js' } };
    await viteBuild({
      root: home,
      configFile: false,
      customLogger: quietLogger(warnings),
      build: { outDir: out, rollupOptions, minify: false, modulePreload: false, reportCompressedSize: false },
      ...options,
    });
    return warnings;
  };

/** Bundles own-worker-page.js, whose worker encodes. */
export const viteForOwnWorker = viteWith('own-worker-page.js', { worker: { format: 'es' } });

const webpack: Bundler = async (home, out) => {
  // Its types name a package's default export that this project's module settings do not see.
  const bundle = createRequire(import.meta.url)('webpack') as (
    configuration: Configuration,
    done: (error: Error | null, stats?: Stats) => void,
  ) => void;
  const stats = await new Promise<Stats>((resolve, reject) => {
    const output = { path: out, filename: 'app.js' };
    const configuration: Configuration = { mode: 'production', context: home, entry: './main.js', output };
    configuration.optimization = { minimize: false };
    bundle(configuration, (error, stats) => (error ? reject(error) : resolve(stats!)));
  });
  const { errors = [], warnings = [] } = stats.toJson({ all: false, errors: true, warnings: true });
  return [...errors, ...warnings].map(({ message }) => message);
};

/** Two entries and a copied file. */
const forEsbuild: Bundler = async (home, out) => {
  const { warnings } = await esbuild.build({
    absWorkingDir: home,
    entryPoints: { app: 'main.js', 'mpegpu/worker': 'mpegpu/worker' },
    bundle: true,
    splitting: true,
    format: 'esm',
    outdir: out,
    logLevel: 'silent',
  });
  copyKernels(home, out);
  return warnings.map(({ text }) => text);
};

/** Two entries and a copied file. */
const forRollup: Bundler = async (home, out) => {
  const warnings: string[] = [];
  const bundle = await rollup({
    input: { app: join(home, 'main.js'), 'mpegpu/worker': 'mpegpu/worker' },
    plugins: [nodeResolve({ browser: true, rootDir: home })],
    onLog: (_, { message }) => void warnings.push(message),
  });
  await bundle.write({ dir: out });
  await bundle.close();
  copyKernels(home, out);
  return warnings;
};

/** The package's files as they are, and an address in place of the package's name. */
const none: Bundler = async (home, out) => {
  cpSync(join(home, PACKAGE), join(out, 'encoder'), { recursive: true });
  const text = readFileSync(join(home, 'main.js'), 'utf8');
  writeFileSync(join(out, 'app.js'), text.replace("'mpegpu'", "'./encoder/index.js'"));
  return [];
};

/** The bundlers by name. */
export const BUNDLERS: Readonly<Record<string, Bundler>> = {
  vite: viteWith('main.js'),
  webpack,
  esbuild: forEsbuild,
  rollup: forRollup,
  none,
};

/** Vite's development server of the folder `home`, isolated. */
export function startViteServer(home: string, warnings: string[]): Promise<ViteDevServer> {
  const server = { headers: ISOLATION, port: 0, host: '127.0.0.1' };
  return createServer({ root: home, configFile: false, customLogger: quietLogger(warnings), server });
}
