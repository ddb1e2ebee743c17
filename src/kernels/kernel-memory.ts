// The memory that kernels work in.
import { InternalError } from '../errors.js';

/** Bytes at the start that belong to the WASM module's own static data. */
const MODULE_BYTES = 65536;
/** Bytes after the last allocation, so that a 16-byte load at a block's right edge stays inside. */
const GUARD_BYTES = 64;
const PAGE_BYTES = 65536;
/** Allocations begin at multiples of this; each takes at most so many bytes more than was asked. */
export const ALIGNMENT_BYTES = 16;

/**
 * Memory addressed by byte offsets ("pointers"), so that the readable and the SIMD kernels are interchangeable. Its
 * size is fixed when it is made; it never grows.
 *
 *     0           65536                                               size
 *     | module    | allocations, each 16-byte aligned ...      | guard |
 */
export class KernelMemory {
  readonly wasm: WebAssembly.Memory;
  readonly u8: Uint8Array;
  readonly i16: Int16Array;
  readonly u16: Uint16Array;
  readonly i32: Int32Array;
  readonly u32: Uint32Array;
  readonly f32: Float32Array;
  readonly f64: Float64Array;
  #next = MODULE_BYTES;

  /** Makes a memory with room for `bytes` bytes of allocations (their alignment included). */
  constructor(bytes: number) {
    const pages = Math.ceil((MODULE_BYTES + bytes + GUARD_BYTES) / PAGE_BYTES);
    this.wasm = new WebAssembly.Memory({ initial: pages, maximum: pages });
    const buffer = this.wasm.buffer;
    this.u8 = new Uint8Array(buffer);
    this.i16 = new Int16Array(buffer);
    this.u16 = new Uint16Array(buffer);
    this.i32 = new Int32Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.f32 = new Float32Array(buffer);
    this.f64 = new Float64Array(buffer);
  }

  /** Takes `bytes` zeroed bytes, 16-byte aligned; there is no freeing. Returns the offset of the first. */
  allocate(bytes: number): number {
    const pointer = this.#next;
    this.#next += Math.ceil(bytes / ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
    if (this.#next + GUARD_BYTES > this.u8.length) {
      throw new InternalError(`kernel memory of ${this.u8.length} bytes has no room for ${bytes} more`);
    }
    return pointer;
  }
}
