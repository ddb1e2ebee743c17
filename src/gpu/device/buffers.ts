// Makes GPU buffers with content, and names the WebGPU flags, for which Node has no globals.

/** GPUBufferUsage of the WebGPU specification. */
export const BUFFER_USAGE = {
  mapRead: 0x1,
  mapWrite: 0x2,
  copySource: 0x4,
  copyTarget: 0x8,
  uniform: 0x40,
  storage: 0x80,
  queryResolve: 0x200,
} as const;

/** GPUMapMode of the WebGPU specification. */
export const MAP_MODE = { read: 1, write: 2 } as const;

/** The smallest buffer that any of our bindings takes: a uniform struct of one 16-byte unit. */
const MIN_BUFFER_BYTES = 16;

/** A buffer that starts with `words`, u32 each. */
export function createFilledBuffer(
  device: GPUDevice,
  label: string,
  usage: number,
  words: ArrayLike<number>,
): GPUBuffer {
  const size = Math.max(MIN_BUFFER_BYTES, 4 * words.length);
  const buffer = device.createBuffer({ label, size, usage, mappedAtCreation: true });
  new Uint32Array(buffer.getMappedRange()).set(words);
  buffer.unmap();
  return buffer;
}

/**
 * Staging buffers of one size, made when they are first needed: bytes are written to them while they are mapped, and
 * copied from there.
 */
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
