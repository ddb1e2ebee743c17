// The memory of the temporal filter: what tells it what to do, and room for pictures that lie elsewhere.
import type { PictureKernels } from '../../kernels/contracts/picture-kernels.js';
import { ALIGNMENT_BYTES, KernelMemory } from '../../kernels/kernel-memory.js';
import type { KernelChoice } from '../../kernels/kernels.js';
import { MAX_FILTER_REFERENCES, TEMPORAL_FILTER, type TemporalFilter } from '../../kernels/records/picture-planes.js';
import { createKernels } from '../../kernels/select-kernels.js';
import type { MacroblockGrid } from '../../picture/picture.js';

/** Where the temporal filter works. */
export interface FilterMemory {
  readonly memory: KernelMemory;
  readonly kernels: Pick<PictureKernels, 'filterLumaRow'>;
  readonly record: TemporalFilter;
  /** The components of the vectors of all macroblocks, of each reference. */
  readonly vectors: readonly { readonly dx: number; readonly dy: number }[];
}

/** A memory with room for copies of luma: of a picture, of its references, and of what becomes of it. */
export interface FilterApart extends FilterMemory {
  readonly current: number;
  readonly references: readonly number[];
  readonly target: number;
}

/** An entry for each picture that one is filtered by. */
const REFERENCES: readonly undefined[] = Array.from({ length: MAX_FILTER_REFERENCES });

/** The bytes of kernel memory that `allocateFilter` takes. */
export function filterBytes({ mbWidth, mbHeight }: MacroblockGrid): number {
  const vectors = 4 * mbWidth * mbHeight + 2 * ALIGNMENT_BYTES;
  return TEMPORAL_FILTER.bytes + ALIGNMENT_BYTES + MAX_FILTER_REFERENCES * vectors;
}

/** Takes room for the temporal filter of pictures that lie in the same memory. */
export function allocateFilter(
  memory: KernelMemory,
  kernels: FilterMemory['kernels'],
  { mbWidth, mbHeight }: MacroblockGrid,
): FilterMemory {
  const component = 2 * mbWidth * mbHeight;
  const vectors = REFERENCES.map(() => ({ dx: memory.allocate(component), dy: memory.allocate(component) }));
  return { memory, kernels, vectors, record: TEMPORAL_FILTER.allocate(memory, { mbWidth, mbHeight }) };
}

/** Makes a memory for pictures that lie elsewhere. Rejects with UnsupportedError if the kernels cannot run here. */
export async function createFilterApart(grid: MacroblockGrid, choice?: KernelChoice | string): Promise<FilterApart> {
  const luma = grid.codedWidth * grid.codedHeight;
  const memory = new KernelMemory(filterBytes(grid) + (MAX_FILTER_REFERENCES + 2) * (luma + ALIGNMENT_BYTES));
  return {
    ...allocateFilter(memory, await createKernels(memory, choice), grid),
    current: memory.allocateUnset(luma),
    references: REFERENCES.map(() => memory.allocateUnset(luma)),
    target: memory.allocateUnset(luma),
  };
}
