// The memory of the temporal filter: the luma that it makes, and the pictures and the motion that it follows.
import { ALIGNMENT_BYTES, type KernelMemory } from '../../kernels/kernel-memory.js';
import { MAX_FILTER_REFERENCES, TEMPORAL_FILTER, type TemporalFilter } from '../../kernels/records/picture-planes.js';
import type { MacroblockGrid } from '../../picture/picture.js';

/** A picture that another one is filtered by. */
interface ReferencePlaces {
  /** Room for a copy of its luma. */
  readonly own: number;
  /** The components of the vectors of all macroblocks. */
  readonly dx: number;
  readonly dy: number;
}

/** Where the temporal filter finds what it reads. */
export interface FilterMemory {
  readonly record: TemporalFilter;
  readonly references: readonly ReferencePlaces[];
}

/** The bytes of kernel memory that `allocateFilter` takes. */
export function filterBytes({ codedWidth, codedHeight, mbWidth, mbHeight }: MacroblockGrid): number {
  const luma = codedWidth * codedHeight + ALIGNMENT_BYTES;
  const vectors = 4 * mbWidth * mbHeight + 2 * ALIGNMENT_BYTES;
  return TEMPORAL_FILTER.bytes + ALIGNMENT_BYTES + luma + MAX_FILTER_REFERENCES * (luma + vectors);
}

/** Takes room for the temporal filter. */
export function allocateFilter(
  memory: KernelMemory,
  { codedWidth, codedHeight, mbWidth, mbHeight }: MacroblockGrid,
): FilterMemory {
  const luma = codedWidth * codedHeight;
  const component = 2 * mbWidth * mbHeight;
  const references = Array.from({ length: MAX_FILTER_REFERENCES }, () => ({
    own: memory.allocateUnset(luma),
    dx: memory.allocate(component),
    dy: memory.allocate(component),
  }));
  return {
    record: TEMPORAL_FILTER.allocate(memory, { target: memory.allocateUnset(luma), mbWidth, mbHeight }),
    references,
  };
}
