// Buffers through which bytes come to the GPU: written while they are mapped, then copied from.
import { BUFFER_USAGE, MAP_MODE } from './buffers.js';

/** Staging buffers of one size, made when they are first needed. */
export class StagingBuffers {
  /** All are mapped for writing while their owner is idle. */
  readonly #buffers: GPUBuffer[] = [];
  #used = 0;

  constructor(
    readonly device: GPUDevice,
    readonly label: string,
    readonly bytes: number,
  ) {}

  /** The next buffer, with what `write` puts into its bytes: to be copied from. */
  fill(write: (bytes: ArrayBuffer) => void): GPUBuffer {
    const number = this.#used;
    this.#buffers[number] ??= this.device.createBuffer({
      label: `${this.label}${number}`,
      size: this.bytes,
      usage: BUFFER_USAGE.mapWrite | BUFFER_USAGE.copySource,
      mappedAtCreation: true,
    });
    const buffer = this.#buffers[number];
    write(buffer.getMappedRange());
    buffer.unmap();
    this.#used++;
    return buffer;
  }

  /** Asks for the maps of those that were filled. When all are there, `fill` begins with the first again. */
  map(): Promise<unknown>[] {
    const filled = this.#buffers.slice(0, this.#used);
    this.#used = 0;
    return filled.map(buffer => buffer.mapAsync(MAP_MODE.write));
  }

  /** Frees the buffers. */
  destroy(): void {
    for (const buffer of this.#buffers) buffer.destroy();
  }
}
