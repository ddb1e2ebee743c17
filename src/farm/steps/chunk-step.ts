// The steps of one chunk: its first pass, and its coding. What is in the store already is not made again.
import { readMeasurement } from '../../chunks/chunk-budgets.js';
import { openChunk } from '../../chunks/chunk-format.js';
import { type ChunkPlan, chunkOf } from '../../chunks/chunk-plan.js';
import { type ChunkRun, encodeChunk, measureChunk } from '../../chunks/encode-chunk.js';
import { InputError } from '../../errors.js';
import { gpuTwinOf } from '../../motion/built-in-estimators.js';
import type { RequestedReading } from '../jobs/farm-request.js';
import { type ChunkDone, chunkObject, type StepData } from '../jobs/farm-step.js';
import { type ObjectStore, readWhole } from '../places/object-store.js';
import type { FarmMachine } from './farm-task.js';
import type { StepContext } from './step-context.js';

/** Codes a chunk, or makes its first pass, and puts it into the store. */
export async function doChunk(kind: 'encode' | 'measure', step: StepData, context: StepContext): Promise<ChunkDone> {
  const start = performance.now();
  const store = await context.places.store(step.store);
  const plan = await context.planOf(step, store);
  const index = step.index!;
  const { frames } = chunkOf(plan, index);
  const name = chunkObject(kind, step);
  const bytesThere = await bytesOfWhole(kind, plan, index, store, name);
  if (bytesThere !== undefined) return { frames, bytes: bytesThere, wasThere: true, seconds: 0 };
  const opened = await context.source(step.input, plan.source as RequestedReading);
  const source = context.watched(opened);
  const run: ChunkRun = {
    ...onThisMachine(context.machine, plan.options.estimator),
    keptThreads: context.keptThreads,
    onWarning: context.warn,
    onProgress: context.report,
  };
  try {
    const bytes =
      kind === 'encode'
        ? (await encodeChunk(source, plan, index, run)).bytes
        : new TextEncoder().encode(JSON.stringify(await measureChunk(source, plan, index, run)));
    await store.put(name, bytes);
    return { frames, bytes: bytes.length, wasThere: false, seconds: (performance.now() - start) / 1000 };
  } catch (error) {
    // Another attempt opens the input anew; one that is not as planned is not read from a copy again.
    await (error instanceof InputError ? context.forgetInputs() : context.closeSource());
    throw error;
  }
}

/** The estimator and the threads: those of the plan's CPU estimator, or its twin on the GPU. */
function onThisMachine({ threads, gpu = false }: FarmMachine, planned: string): Pick<ChunkRun, 'threads' | 'twin'> {
  return { ...(threads !== undefined && { threads }), twin: gpuTwinOf(planned) && gpu ? 'gpu' : 'cpu' };
}

/** The bytes of what a step would put into the store, if it is there and whole. */
async function bytesOfWhole(
  kind: 'encode' | 'measure',
  plan: ChunkPlan,
  index: number,
  store: ObjectStore,
  name: string,
): Promise<number | undefined> {
  try {
    if (kind === 'measure') {
      const bytes = await readWhole(store, name);
      if (!bytes) return undefined;
      const measurement = readMeasurement(JSON.parse(new TextDecoder().decode(bytes)), name);
      return measurement.plan === plan.identity && measurement.index === index ? bytes.length : undefined;
    }
    const stored = await store.open(name);
    if (!stored) return undefined;
    const chunk = await openChunk(stored);
    await chunk.accessUnits();
    return chunk.plan === plan.identity && chunk.index === index ? stored.byteLength : undefined;
  } catch (error) {
    if (error instanceof InputError || error instanceof SyntaxError) return undefined; // damaged: made again
    throw error;
  }
}
