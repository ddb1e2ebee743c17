import { KernelMemory } from '../../src/kernels/kernel-memory.js';
import type { Kernels } from '../../src/kernels/kernels.js';
import { createKernels } from '../../src/kernels/select-kernels.js';

/** Two memories of the same content, one for each kernel set. */
export interface KernelPair {
  readonly reference: { readonly memory: KernelMemory; readonly kernels: Kernels };
  readonly simd: { readonly memory: KernelMemory; readonly kernels: Kernels };
  /** Takes the same place in both memories. */
  allocate(bytes: number): number;
  /** Fills the same bytes in both memories. */
  fill(at: number, bytes: ArrayLike<number>): void;
  /** The offset of the first byte that differs, -1 when none does; the WASM module's own static data is left out. */
  firstDifference(): number;
}

/** Below this lies the WASM module's static data; see kernel-memory.ts. */
const ALLOCATIONS_START = 65536;

export async function kernelPair(bytes: number): Promise<KernelPair> {
  const [reference, simd] = await Promise.all(
    (['reference', 'simd'] as const).map(async name => {
      const memory = new KernelMemory(bytes);
      return { memory, kernels: await createKernels(memory, name) };
    }),
  );
  return {
    reference: reference!,
    simd: simd!,
    allocate(size) {
      simd!.memory.allocate(size);
      return reference!.memory.allocate(size);
    },
    fill(at, content) {
      reference!.memory.u8.set(content, at);
      simd!.memory.u8.set(content, at);
    },
    firstDifference() {
      const a = reference!.memory.u8.subarray(ALLOCATIONS_START);
      const b = simd!.memory.u8.subarray(ALLOCATIONS_START);
      if (Buffer.compare(a, b) === 0) return -1;
      return ALLOCATIONS_START + a.findIndex((value, i) => value !== b[i]);
    },
  };
}

/** A small seeded generator (mulberry32): whole numbers 0..2^32-1. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  };
}
