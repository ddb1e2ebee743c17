// The steps of an encode in chunks for users of the library: their code is loaded when it is needed.
import type { AssembledVideo, AssemblyOutput, AssemblyRun } from './assemble-chunks.js';
import type { ChunkMeasurement } from './chunk-budgets.js';
import type { StoredChunk } from './chunk-format.js';
import type { ChunkPlan } from './chunk-plan.js';
import type { ChunkSource } from './chunk-source.js';
import type { ChunkRun, EncodedChunk } from './encode-chunk.js';
import type { PlanOptions } from './plan-options.js';

const loadSteps = () => import('./chunk-steps.js');

/**
 * Plans the encode of all frames of a source in chunks, each of which can be coded on another machine. The plan depends
 * on the frames and the options alone. Throws an OptionError for an option that chunks cannot keep to, the errors of
 * the source, and the signal's reason.
 */
export async function planChunks(source: ChunkSource, options?: PlanOptions): Promise<ChunkPlan> {
  return (await loadSteps()).planChunks(source, options);
}

/**
 * Codes a chunk of a plan. It needs nothing of the other chunks; side by side, each needs a source. Throws an
 * InputError if the plan is of another version or for another input, if there is no such chunk, or if the plan has a
 * bit rate and no budgets yet (`measureChunk`); the errors of the encoder and the source; the signal's reason.
 */
export async function encodeChunk(
  source: ChunkSource,
  plan: ChunkPlan,
  index: number,
  run?: ChunkRun,
): Promise<EncodedChunk> {
  return (await loadSteps()).encodeChunk(source, plan, index, run);
}

/**
 * The first pass of a chunk of a plan with a bit rate: what `budgetChunks` takes. Throws as `encodeChunk` does, and an
 * InputError for a plan without a bit rate.
 */
export async function measureChunk(
  source: ChunkSource,
  plan: ChunkPlan,
  index: number,
  run?: ChunkRun,
): Promise<ChunkMeasurement> {
  return (await loadSteps()).measureChunk(source, plan, index, run);
}

/**
 * Writes the video of a plan from its chunks, which may come in any order. The output gets the access units of the
 * whole encode; its owner completes it. The access units of one chunk are in memory at a time. Before anything is
 * written, an InputError names a chunk that is missing, there twice, of another plan, no chunk or not whole; one whose
 * access units are damaged is found when its turn comes.
 */
export async function assembleChunks(
  plan: ChunkPlan,
  chunks: Iterable<StoredChunk | EncodedChunk>,
  output: AssemblyOutput,
  run?: AssemblyRun,
): Promise<AssembledVideo> {
  return (await loadSteps()).assembleChunks(plan, chunks, output, run);
}
