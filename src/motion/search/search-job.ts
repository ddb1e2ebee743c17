import type { KernelMemory } from '../../kernels/kernel-memory.js';
import { SEARCH_JOB } from '../../kernels/search-kernels.js';

/** A search job read from kernel memory; see {@link SEARCH_JOB} for each field. */
export type SearchJob = { readonly [Field in keyof typeof SEARCH_JOB]: number };

/** Reads the job at `pointer`. */
export function readSearchJob(memory: KernelMemory, pointer: number): SearchJob {
  const fields = Object.entries(SEARCH_JOB).map(([name, word]) => [name, memory.i32[pointer / 4 + word]]);
  return Object.fromEntries(fields) as SearchJob;
}
