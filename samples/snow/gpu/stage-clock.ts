// Times of the simulator's stages on the GPU, from timestamp queries.
/// <reference types="@webgpu/types" />
import { MAP_READ, USAGE } from './snow-buffers.js';

/** The stages of a step, in order; each is a compute pass of its own. */
export const STAGES = ['ground', 'wind', 'flakes', 'keys', 'sort', 'draw'] as const;
export type Stage = (typeof STAGES)[number];

const TIME_BYTES = 8;
const BYTES = 2 * STAGES.length * TIME_BYTES;

/** Takes the times of one step at a time. */
export class StageClock {
  readonly #queries: GPUQuerySet | undefined;
  readonly #resolved: GPUBuffer | undefined;

  constructor(readonly device: GPUDevice) {
    if (!device.features.has('timestamp-query')) return;
    this.#queries = device.createQuerySet({ label: 'Snow.times', type: 'timestamp', count: 2 * STAGES.length });
    const usage = USAGE.queryResolve | USAGE.copySource;
    this.#resolved = device.createBuffer({ label: 'Snow.times', size: BYTES, usage });
  }

  /** Describes the pass of a stage. */
  pass(stage: Stage): GPUComputePassDescriptor {
    const label = `Snow.${stage}`;
    if (!this.#queries) return { label };
    const first = 2 * STAGES.indexOf(stage);
    const timestampWrites = {
      querySet: this.#queries,
      beginningOfPassWriteIndex: first,
      endOfPassWriteIndex: first + 1,
    };
    return { label, timestampWrites };
  }

  /** Records the reading of the times. After the submission, the function that is returned gives them once, in ns. */
  record(encoder: GPUCommandEncoder): () => Promise<Record<Stage, number> | undefined> {
    if (!this.#queries || !this.#resolved) return async () => undefined;
    const { mapRead, copyTarget } = USAGE;
    const target = this.device.createBuffer({ label: 'Snow.timesRead', size: BYTES, usage: mapRead | copyTarget });
    encoder.resolveQuerySet(this.#queries, 0, 2 * STAGES.length, this.#resolved, 0);
    encoder.copyBufferToBuffer(this.#resolved, 0, target, 0, BYTES);
    return async () => {
      await target.mapAsync(MAP_READ);
      const times = new BigUint64Array(target.getMappedRange());
      const spans = STAGES.map((stage, at) => [stage, Number(times[2 * at + 1] - times[2 * at])]);
      target.destroy();
      return Object.fromEntries(spans) as Record<Stage, number>;
    };
  }

  destroy(): void {
    this.#queries?.destroy();
    this.#resolved?.destroy();
  }
}
