// Checks that the parts of a plan's chunks are all there, once each, and of this plan.
import { InputError } from '../errors.js';
import type { ChunkPlan } from './chunk-plan.js';

/** What is made of one chunk. */
export interface ChunkPart {
  /** For messages: the name of its file. */
  readonly name: string;
  /** Identity of its plan. */
  readonly plan: string;
  readonly index: number;
}

/** More missing chunks than this are counted, not listed. */
const MAX_LISTED = 8;

/**
 * One part of each chunk, in the plan's order. Throws an InputError for one that is missing, which `maker` would make,
 * there twice or of another plan.
 */
export function allInOrder<Part extends ChunkPart>(
  { identity, chunks }: ChunkPlan,
  parts: readonly Part[],
  maker = 'encode-chunk',
): Part[] {
  const byIndex = new Map<number, Part>();
  for (const part of parts) {
    const { name, plan, index } = part;
    if (plan !== identity) throw new InputError(`${name} is of another plan (${plan}), not of this one (${identity})`);
    const other = byIndex.get(index);
    if (other) throw new InputError(`chunk ${index} is there twice: ${other.name} and ${name}; one is needed`);
    byIndex.set(index, part);
  }
  const missing = chunks.map(({ index }) => index).filter(index => !byIndex.has(index));
  if (missing.length > 0) throw new InputError(`${missingChunks(missing, chunks.length)}: ${maker} makes one`);
  return chunks.map(({ index }) => byIndex.get(index)!);
}

function missingChunks(missing: readonly number[], count: number): string {
  const listed = missing.slice(0, MAX_LISTED).join(', ');
  const more = missing.length > MAX_LISTED ? ` and ${missing.length - MAX_LISTED} more` : '';
  const [chunks, are] = missing.length === 1 ? ['chunk', 'is'] : ['chunks', 'are'];
  return `${chunks} ${listed}${more} of ${count} ${are} missing (the first is 0)`;
}
