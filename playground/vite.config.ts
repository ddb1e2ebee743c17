// How Vite serves and builds the playground.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));
const project = fileURLToPath(new URL('..', import.meta.url));

export default defineConfig({
  root,
  // Paths in the built page are relative: it works in any folder of a server.
  base: './',
  build: { outDir: `${project}/dist/playground`, emptyOutDir: true, target: 'es2022', reportCompressedSize: false },
  worker: { format: 'es' },
  server: { fs: { allow: [project] } },
  optimizeDeps: { exclude: ['mpegpu'], include: ['@seydx/jsmpeg'] },
});
