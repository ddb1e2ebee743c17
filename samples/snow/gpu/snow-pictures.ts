// The pictures of a film as they come from the GPU: their planes stay there, and are copied to main memory once.
/// <reference types="@webgpu/types" />
import type { Frame } from '../../../src/picture/frame.js';
import { planesBytes } from '../picture/draw-picture.js';
import { frameOfPlanes } from '../picture/frame-of-planes.js';
import type { GpuSnow } from './gpu-snow.js';
import { MAP_READ, USAGE } from './snow-buffers.js';
import type { Stage } from './stage-clock.js';

/** A picture in both memories. Both stay as they are until it is released. */
export interface SnowPicture {
  /** Y, then U, then V, of the coded size, on the GPU. */
  readonly planes: GPUBuffer;
  /** The same in main memory. */
  readonly copy: Uint8Array;
  /** The picture without its margins, as views of `copy` where these have no gaps. */
  readonly frame: Frame;
  /** Times of the stages on the GPU in ns; undefined where they were not asked for, or the device has none. */
  readonly times: Record<Stage, number> | undefined;
  /** Gives the memory back for a later picture. */
  release(): void;
}

/** The memory of one picture. */
interface PictureMemory {
  readonly planes: GPUBuffer;
  readonly copy: GPUBuffer;
}

/** Steps a film and reads its pictures. Several may be under way: while one is copied, the next are computed. */
export class SnowPictures {
  readonly #free: PictureMemory[] = [];
  readonly #all: PictureMemory[] = [];

  /** `isTimed`: pictures have times. */
  constructor(
    readonly snow: GpuSnow,
    readonly isTimed = false,
  ) {}

  /** The picture after the next step. May be called before the one before has come. Rejects with the GPU's error. */
  async next(): Promise<SnowPicture> {
    const { device, scene, clock } = this.snow;
    const memory = this.#free.pop() ?? this.#newMemory();
    for (const kind of ['validation', 'out-of-memory', 'internal'] as const) device.pushErrorScope(kind);
    const encoder = device.createCommandEncoder({ label: 'Snow.encoder' });
    this.snow.recordStep(encoder);
    this.snow.recordPicture(encoder, memory.planes);
    encoder.copyBufferToBuffer(memory.planes, 0, memory.copy, 0, planesBytes(scene));
    const readTimes = this.isTimed ? clock.record(encoder) : undefined;
    device.queue.submit([encoder.finish()]);
    const scopes = [device.popErrorScope(), device.popErrorScope(), device.popErrorScope()];
    const outcomes = await Promise.allSettled([...scopes, memory.copy.mapAsync(MAP_READ)]);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') throw outcome.reason;
      if (outcome.value) throw new Error(`the GPU failed: ${outcome.value.message}`);
    }
    const copy = new Uint8Array(memory.copy.getMappedRange());
    return {
      planes: memory.planes,
      copy,
      frame: frameOfPlanes(scene, copy),
      times: await readTimes?.(),
      release: () => {
        memory.copy.unmap();
        this.#free.push(memory);
      },
    };
  }

  #newMemory(): PictureMemory {
    const { mapRead, copyTarget } = USAGE;
    const usage = mapRead | copyTarget;
    const copy = this.snow.device.createBuffer({ label: 'Snow.copy', size: planesBytes(this.snow.scene), usage });
    const memory = { planes: this.snow.createPlanes(), copy };
    this.#all.push(memory);
    return memory;
  }

  /** Frees the pictures' memory. Only when none is under way. */
  destroy(): void {
    for (const { planes, copy } of this.#all) {
      planes.destroy();
      copy.destroy();
    }
  }
}
