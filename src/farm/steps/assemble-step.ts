// The last step of a job: joins the chunks, with the sound, to the output.

import { assembleChunks } from '../../chunks/assemble-chunks.js';
import type { StoredChunk } from '../../chunks/chunk-format.js';
import { finitePsnr } from '../../encode-files/psnr-text.js';
import { VideoWriter } from '../../media/output/video-writer.js';
import { type Assembled, chunkObject, type StepData } from '../jobs/farm-step.js';
import { openPreparedSound } from './prepared-sound.js';
import type { StepContext } from './step-context.js';

/** Joins the chunks of a plan in the plan's order. One chunk is in memory at a time. */
export async function assembleJob(step: StepData, context: StepContext): Promise<Assembled> {
  const { places } = context;
  const store = await places.store(step.store);
  const plan = await context.planOf(step, store);
  const chunks: StoredChunk[] = [];
  for (const { index } of plan.chunks) {
    const name = chunkObject('encode', { ...step, index });
    const chunk = await store.open(name);
    if (!chunk) throw new Error(`chunk ${index} (${name}) is not in the store: submit the job again`);
    chunks.push(chunk);
    context.report(0);
  }
  const assembled: Assembled[] = [];
  await places.writeOutput(step.output, async path => {
    const sound = step.sound === undefined ? undefined : await openPreparedSound(step.sound, store);
    // Planning has refused an output that may not be replaced; what is there now, an attempt before has made.
    // One whose process was killed may have left a hidden file.
    const options = { overwrite: true, sound, onLeftover: context.warn, onWarning: context.warn };
    const writer = await VideoWriter.open(path, plan.input, options);
    try {
      let pictures = 0;
      const video = await assembleChunks(plan, chunks, writer, { onPicture: () => context.report(++pictures) });
      await writer.finish();
      assembled.push({ frames: video.frames, bits: video.bits, psnr: finitePsnr(video.psnr.all) });
    } finally {
      await writer.discard();
    }
  });
  return assembled[0]!;
}
