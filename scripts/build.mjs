// Builds everything: kernels to WebAssembly, shaders to strings, TypeScript to dist/, the package to dist/package/.
// `--without-types` leaves tsc out, which takes most of the time.
import { bundle } from './bundle.mjs';
import { compileAll } from './compile.mjs';
import { compileKernels } from './compile-kernels.mjs';
import { generateSources } from './generate-sources.mjs';

await generateSources();
await compileKernels();
await Promise.all([compileAll(), bundle()]);
if (!process.argv.includes('--without-types')) await import('./declarations.mjs');
