// Memory that threads share: Node has it; a browser gives it to pages that are isolated from other origins.

/** Whether memory can be sent to threads without a copy. */
export function canShareMemory(): boolean {
  const { crossOriginIsolated = true } = globalThis as { crossOriginIsolated?: boolean };
  return typeof SharedArrayBuffer === 'function' && crossOriginIsolated;
}

/** Whether `buffer` can be sent to a thread without a copy. Where memory cannot be shared, WebAssembly's is neither. */
export function isShared(buffer: ArrayBufferLike): buffer is SharedArrayBuffer {
  return canShareMemory() && buffer instanceof SharedArrayBuffer;
}
