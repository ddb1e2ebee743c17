// Loads the readable kernels as a file. Takes the place of load-reference-kernels.ts in what browsers load.
// A bundler that makes a worker of one file (Vite) cannot split it: an `import()` that it sees would be an error.
import { messageOf, UnsupportedError } from '../errors.js';
import type { KernelMemory } from './kernel-memory.js';
import type { Kernels } from './kernels.js';

/** What the file exports. */
interface ReferenceKernelsFile {
  createReferenceKernels(memory: KernelMemory): Kernels;
}

/** The readable kernels on `memory`. Rejects with UnsupportedError where their file cannot be fetched. */
export async function createReferenceKernels(memory: KernelMemory): Promise<Kernels> {
  const { href } = new URL('mpegpu/reference-kernels.js', import.meta.url);
  const file: Promise<ReferenceKernelsFile> = import(/* @vite-ignore */ href);
  const kernels = await file.catch(error => {
    throw new UnsupportedError(`${href} cannot be loaded (${messageOf(error)})`);
  });
  return kernels.createReferenceKernels(memory);
}
