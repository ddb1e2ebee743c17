// The memory that kernels work in.

import { InternalError } from '../errors.js';
import type { WasmMemoryType } from '../platform-types.js';
import { SCRATCH_BYTES } from './records/scratch.js';

/** Bytes at the start that belong to the WASM module's own constants. */
const MODULE_BYTES = 65536;
/** Bytes after the last allocation, so that a 16-byte load at a block's right edge stays inside. */
const GUARD_BYTES = 64;
const PAGE_BYTES = 65536;
/** The most that a memory can be made for: pointers are shifted as signed 32-bit numbers. */
export const MAX_MEMORY_BYTES = 2 ** 31 - 4 * PAGE_BYTES;
/** Allocations begin at multiples of this; each takes at most so many bytes more than was asked. */
export const ALIGNMENT_BYTES = 16;

/** A part of a kernel memory that one thread allocates from; can be sent to a thread. */
export interface MemoryPart {
  readonly wasm: WasmMemoryType;
  /** The first byte and the one after the last. */
  readonly start: number;
  readonly end: number;
  /** Whether its bytes may hold what another encode has left there; by default they are 0. */
  readonly isUsed?: boolean | undefined;
}

/**
 * Memory addressed by byte offsets ("pointers"), so that the readable and the SIMD kernels are interchangeable. Its
 * size is fixed when it is made; it never grows. It can be shared by threads, each of which allocates from a part.
 *
 *     0           65536                                                     size
 *     | constants | scratch | allocations, each 16-byte aligned ... | guard |
 *
 * A part is laid out as the memory is after the constants.
 */
export class KernelMemory {
  readonly wasm: WasmMemoryType;
  readonly u8: Uint8Array;
  readonly i16: Int16Array;
  readonly u16: Uint16Array;
  readonly i32: Int32Array;
  readonly u32: Uint32Array;
  readonly f32: Float32Array;
  readonly f64: Float64Array;
  /** SCRATCH_BYTES for one set of kernels. */
  readonly scratch: number;
  #next: number;
  readonly #end: number;
  readonly #isUsed: boolean;

  /**
   * Makes a memory with room for `bytes` bytes of allocations (their alignment included) beside the scratch memory; or
   * takes a part of another memory.
   */
  constructor(bytes: number | MemoryPart) {
    const part = typeof bytes === 'number' ? newMemory(bytes) : bytes;
    const { buffer } = part.wasm;
    this.wasm = part.wasm;
    this.u8 = new Uint8Array(buffer);
    this.i16 = new Int16Array(buffer);
    this.u16 = new Uint16Array(buffer);
    this.i32 = new Int32Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.f32 = new Float32Array(buffer);
    this.f64 = new Float64Array(buffer);
    this.#next = part.start;
    this.#end = part.end;
    this.#isUsed = part.isUsed ?? false;
    this.scratch = this.allocate(SCRATCH_BYTES);
  }

  /** Takes `bytes` zeroed bytes, 16-byte aligned; there is no freeing. Returns the offset of the first. */
  allocate(bytes: number): number {
    const pointer = this.allocateUnset(bytes);
    if (this.#isUsed) this.u8.fill(0, pointer, pointer + bytes);
    return pointer;
  }

  /** As `allocate`, but the bytes may hold anything; no page of them is touched. */
  allocateUnset(bytes: number): number {
    const pointer = this.#next;
    this.#next += Math.ceil(bytes / ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
    if (this.#next + GUARD_BYTES > this.#end) {
      throw new InternalError(`kernel memory of ${this.u8.length} bytes has no room for ${bytes} more`);
    }
    return pointer;
  }

  /** The address of an array that lies in this memory, else 0. */
  addressOf({ buffer, byteOffset }: Pick<Uint8Array, 'buffer' | 'byteOffset'>): number {
    return buffer === this.u8.buffer ? byteOffset : 0;
  }

  /** Takes a part with room for as much as a memory of its own that was made with `bytes`. */
  allocatePart(bytes: number): MemoryPart {
    return this.#takePart(partBytes(bytes));
  }

  /** Takes a part of `bytes` bytes as a room that threads take parts of, see `kernelMemory`. */
  allocateRoom(bytes: number): MemoryPart {
    const room = this.#takePart(bytes);
    this.i32[room.start >> 2] = 0;
    return room;
  }

  #takePart(length: number): MemoryPart {
    const start = this.allocateUnset(length);
    return { wasm: this.wasm, start, end: start + length, isUsed: this.#isUsed };
  }
}

/** The bytes that a part with room for `bytes` takes of its memory. */
export function partBytes(bytes: number): number {
  return Math.ceil((bytes + SCRATCH_BYTES + GUARD_BYTES) / ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
}

/** The bytes of a memory that is made with room for `bytes`: whole pages of WebAssembly. */
export function memoryBytes(bytes: number): number {
  return PAGE_BYTES * Math.ceil((MODULE_BYTES + partBytes(bytes)) / PAGE_BYTES);
}

/** All of a memory that another encode has used, if there is one. */
export function usedMemory(wasm: WasmMemoryType | undefined): MemoryPart | undefined {
  return wasm && { wasm, start: MODULE_BYTES, end: wasm.buffer.byteLength, isUsed: true };
}

function newMemory(bytes: number): MemoryPart {
  const end = memoryBytes(bytes);
  const pages = end / PAGE_BYTES;
  const wasm = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  return { wasm, start: MODULE_BYTES, end };
}
