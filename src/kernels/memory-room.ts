// Room in a memory that threads share: each takes a part of it when it needs one.
import { ALIGNMENT_BYTES, KernelMemory, type MemoryPart, partBytes } from './kernel-memory.js';
import type { KernelChoice, MemoryRoom } from './kernels.js';
import type { ReducedPlaces } from './reduced-places.js';

/**
 * The kernel memory for `bytes` bytes of allocations: a part of the room that the kernels are chosen with, where there
 * is one with so much left, else a memory of its own. Pictures that lie in the same memory as a part need no copy.
 */
export function kernelMemory(bytes: number, kernels: KernelChoice | string | undefined): KernelMemory {
  const room = roomOf(kernels);
  return new KernelMemory((room && takePart(room, bytes)) ?? bytes);
}

/** Where threads share smaller versions of pictures that lie in the room. */
export function reducedPlaces(kernels: KernelChoice | string | undefined): ReducedPlaces | undefined {
  return roomOf(kernels)?.reduced;
}

/** The room that kernels are chosen with. */
function roomOf(kernels: KernelChoice | string | undefined): MemoryRoom | undefined {
  return typeof kernels === 'object' ? kernels.room : undefined;
}

/**
 * Luma that a message has brought. If it lies in the room, it becomes a view on this thread's own memory object: the
 * message has another object for the same memory. Elsewhere a picture's buffer begins with its luma, so luma has an
 * offset in the room alone.
 */
export function inRoom(luma: Uint8Array, kernels: KernelChoice | undefined): Uint8Array {
  const room = roomOf(kernels);
  return room && luma.byteOffset > 0 ? new Uint8Array(room.wasm.buffer, luma.byteOffset, luma.length) : luma;
}

/**
 * Takes a part with room for as much as a memory that was made with `bytes`; undefined where too little is left. Any
 * thread may take one at any time: the room begins with an int32, the bytes taken so far.
 *
 *     | taken | part | part | ...          |
 */
function takePart({ wasm, start, end, isUsed }: MemoryPart, bytes: number): MemoryPart | undefined {
  const taken = new Int32Array(wasm.buffer, start, 1);
  const length = partBytes(bytes);
  const first = start + ALIGNMENT_BYTES + Atomics.add(taken, 0, length);
  return first + length > end ? undefined : { wasm, start: first, end: first + length, isUsed };
}
