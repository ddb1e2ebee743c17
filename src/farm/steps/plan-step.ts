// The steps that make plans: the first one reads all frames, the second one shares out the bits of two passes.
import { budgetChunks, type ChunkMeasurement } from '../../chunks/chunk-budgets.js';
import { type ChunkPlan, needsFirstPass } from '../../chunks/chunk-plan.js';
import { planChunks } from '../../chunks/plan-chunks.js';
import { checkTarget } from '../../encode-files/check-options.js';
import { streamRate } from '../../encode-files/open-input.js';
import { pelAspectOption } from '../../encode-files/stream-shape.js';
import { requireContainer } from '../../media/containers/container.js';
import { type FarmRequest, soundUrl } from '../jobs/farm-request.js';
import { chunkObject, type Planned, planObject, type StepData } from '../jobs/farm-step.js';
import { type ObjectStore, readWhole } from '../places/object-store.js';
import { nameOfPlace } from '../places/place-url.js';
import { prepareSound } from './prepared-sound.js';
import type { StepContext } from './step-context.js';

/** Plans the chunks of a request, and prepares its sound. Plan and sound lie in the store then. */
export async function makePlanOf(request: FarmRequest, context: StepContext): Promise<Planned> {
  const { input, output, reading, options, overwrite } = request;
  const { places } = context;
  await places.requireDifferent(output, { 'the input': input, audio: soundUrl(request.sound) });
  const outputName = nameOfPlace(output);
  const { target } = options;
  requireContainer(outputName);
  checkTarget(target, outputName);
  await places.requireWritable(output, overwrite);
  const store = await places.store(request.store);
  const source = await context.source(input, reading);
  const plan = await planChunks(context.watched(source), {
    ...pelAspectOption(source, { ...reading.pictures, ...(target && { target }) }, context.warn),
    ...options,
    frameRate: streamRate(source),
    source: reading,
    onProgress: context.report,
  });
  await context.closeSource();
  const soundOf = { request, plan, soundTracks: source.soundTracks, outputName };
  const sound = await prepareSound(soundOf, context, store);
  await putPlan(plan, store);
  return planned(plan, sound);
}

/** Makes the plan of the second pass from the first pass of all chunks. */
export async function makeBudgetsOf(step: StepData, context: StepContext): Promise<Planned> {
  const store = await context.places.store(step.store);
  const first = await context.planOf(step, store);
  const measurements: ChunkMeasurement[] = [];
  for (const { index } of first.chunks) {
    const name = chunkObject('measure', { ...step, index });
    const bytes = await readWhole(store, name);
    if (!bytes) throw new Error(`the first pass of chunk ${index} is not in the store: submit the job again`);
    measurements.push(JSON.parse(new TextDecoder().decode(bytes)) as ChunkMeasurement);
    context.report(index);
  }
  const plan = budgetChunks(first, measurements);
  await putPlan(plan, store);
  return planned(plan, step.sound);
}

async function putPlan(plan: ChunkPlan, store: ObjectStore): Promise<void> {
  await store.put(planObject(plan.identity), new TextEncoder().encode(JSON.stringify(plan)));
}

function planned(plan: ChunkPlan, sound: string | undefined): Planned {
  return {
    plan: plan.identity,
    chunks: plan.chunks.length,
    frames: plan.input.frames,
    needsFirstPass: needsFirstPass(plan),
    ...(sound !== undefined && { sound }),
  };
}
