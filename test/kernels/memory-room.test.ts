// Parts of a room that threads share: they do not overlap, and where no room is left, memory is a thread's own.
import { expect, it } from 'vitest';
import { KernelMemory, partBytes } from '../../src/kernels/kernel-memory.js';
import type { ChosenKernels } from '../../src/kernels/kernels.js';
import { inRoom, kernelMemory } from '../../src/kernels/memory-room.js';

const PART = 1000;

/** Kernels that are chosen with room for two parts, and the memory of that. */
function kernelsWithRoom(): { readonly shared: KernelMemory; readonly kernels: ChosenKernels } {
  const bytes = 2 * partBytes(PART) + 16;
  const shared = new KernelMemory(bytes);
  const start = shared.allocate(bytes);
  return { shared, kernels: { name: 'simd', room: { wasm: shared.wasm, start, end: start + bytes } } };
}

it('parts lie side by side, and what has no more room gets memory of its own', () => {
  const { shared, kernels } = kernelsWithRoom();
  const memories = [1, 2, 3].map(() => kernelMemory(PART, kernels));
  const pointers = memories.map((memory, i) => {
    const pointer = memory.allocate(PART);
    memory.u8.fill(i + 1, pointer, pointer + PART);
    return pointer;
  });
  expect(memories.map(({ wasm }) => wasm === shared.wasm)).toEqual([true, true, false]);
  for (const [i, { u8 }] of memories.entries()) {
    expect(u8.subarray(pointers[i]!, pointers[i]! + PART).every(value => value === i + 1)).toBe(true);
  }
  expect(() => memories[0]!.allocate(PART)).toThrow(/no room/);
});

it('kernels without room have memory of their own', () => {
  for (const kernels of [undefined, 'simd', { name: 'simd' } as const]) {
    expect(kernelMemory(PART, kernels).wasm).not.toBe(kernelMemory(PART, kernels).wasm);
  }
});

it('bytes of a place are seen on the memory of the room, others as they are', () => {
  const { shared, kernels } = kernelsWithRoom();
  const own = new Uint8Array(16);
  expect(inRoom(own, kernels)).toBe(own);
  // As a message brings it: another object on the same bytes.
  const brought = structuredClone(new Uint8Array(shared.wasm.buffer, 4096, 16));
  expect(shared.addressOf(brought)).toBe(0);
  expect(shared.addressOf(inRoom(brought, kernels))).toBe(4096);
  expect(inRoom(brought, 'simd')).toBe(brought);
});
