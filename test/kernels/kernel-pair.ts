// Runs the readable and the SIMD kernels side by side on equal memories.
import { KernelMemory } from '../../src/kernels/kernel-memory.js';
import type { Kernels } from '../../src/kernels/kernels.js';
import { PICTURE_PLANES } from '../../src/kernels/records/picture-planes.js';
import { SCRATCH_BYTES } from '../../src/kernels/records/scratch.js';
import { createKernels } from '../../src/kernels/select-kernels.js';

/** Two memories of the same content, one for each kernel set. */
export interface KernelPair<Set = Kernels> {
  readonly reference: { readonly memory: KernelMemory; readonly kernels: Set };
  readonly simd: { readonly memory: KernelMemory; readonly kernels: Set };
  /** Takes the same place in both memories. */
  allocate(bytes: number): number;
  /** Fills the same bytes in both memories. */
  fill(at: number, bytes: ArrayLike<number>): void;
  /** Gives the SIMD kernels' memory the content of the other one. */
  copyReference(): void;
  /** The offset of the first byte that differs, -1 when none does; the WASM module's own bytes are left out. */
  firstDifference(): number;
}

/** Below this lie the WASM module's constants and its scratch memory; see kernel-memory.ts. */
const ALLOCATIONS_START = 65536 + SCRATCH_BYTES;

/** The pair of the encoder's kernels. */
export function kernelPair(bytes: number): Promise<KernelPair> {
  return kernelPairOf(bytes, createKernels);
}

/** The pair of the kernels that `create` makes. */
export async function kernelPairOf<Set>(
  bytes: number,
  create: (memory: KernelMemory, name: string) => Promise<Set>,
): Promise<KernelPair<Set>> {
  const [reference, simd] = await Promise.all(
    (['reference', 'simd'] as const).map(async name => {
      const memory = new KernelMemory(bytes);
      return { memory, kernels: await create(memory, name) };
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
    copyReference() {
      simd!.memory.u8.set(reference!.memory.u8.subarray(ALLOCATIONS_START), ALLOCATIONS_START);
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

/**
 * Pels that find different faults: noise, extremes (every lane saturates), ramps (every lane differs), flat with a
 * little noise.
 */
export const PEL_CONTENTS = {
  noise: (random: () => number) => random() & 255,
  extremes: (random: () => number) => (random() & 1 ? 255 : 0),
  ramp: (_: () => number, i: number) => (i * 7 + (i >> 6)) & 255,
  flat: (random: () => number) => 100 + (random() & 7),
  nearlyEqual: (random: () => number) => random() & 1,
};
export type PelContent = keyof typeof PEL_CONTENTS;
export const PEL_CONTENT_NAMES = Object.keys(PEL_CONTENTS) as PelContent[];

/** `length` pels of a kind. */
export function pelsOf(content: PelContent, random: () => number, length: number): Uint8Array {
  const pelAt = PEL_CONTENTS[content];
  const pels = new Uint8Array(length);
  for (let i = 0; i < length; i++) pels[i] = pelAt(random, i);
  return pels;
}

/**
 * A picture of whole macroblocks in both memories: a pointer to its PICTURE_PLANES, and to its pels, Y, Cb and Cr in
 * turn.
 */
export interface PairPicture {
  readonly planes: number;
  readonly pels: number;
}

/** Takes the place of a picture, `width * height` pels of luma, in both memories. */
export function allocatePicture(pair: KernelPair, width: number, height: number): PairPicture {
  const planes = pair.allocate(PICTURE_PLANES.bytes);
  const luma = width * height;
  const pels = pair.allocate(1.5 * luma);
  const values = { y: pels, u: pels + luma, v: pels + 1.25 * luma, lumaStride: width, chromaStride: width / 2 };
  for (const { memory } of [pair.reference, pair.simd]) Object.assign(PICTURE_PLANES.at(memory, planes), values);
  return { planes, pels };
}
