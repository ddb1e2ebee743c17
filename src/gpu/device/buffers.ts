// Makes filled GPU buffers, and names the WebGPU flags, for which Node has no globals.

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
