// Finds a pattern on the CPU: a kernel goes over the rows of a picture.
import { ALIGNMENT_BYTES, KernelMemory } from '../kernels/kernel-memory.js';
import type { Kernels } from '../kernels/kernels.js';
import { PATTERN_SEARCH } from '../kernels/records/pattern-search.js';
import { createKernels } from '../kernels/select-kernels.js';
import { nextTurn } from '../threads/next-turn.js';
import { patternSamples } from './pattern.js';
import { type Components, type PelImage, pelsWithout } from './pel-image.js';
import type { FinderSetup, FoundPlaces, PlaceFinder } from './place-finder.js';
import { largestSum } from './tolerance.js';

/** Bytes behind the planes that a kernel reads and does not use: sixteen places are compared at a time. */
const SLACK_BYTES = 16;
/** The event loop turns after this long. */
const TURN_MS = 50;

/** Makes a finder on the CPU with the kernel set of this name; by default as `createKernels`. */
export async function createCpuFinder(setup: FinderSetup, kernels?: string): Promise<PlaceFinder> {
  const first = await createKernels(new KernelMemory(0), kernels);
  return new CpuFinder(setup, first.name);
}

/** Memory and kernels for pictures of one size. */
interface PictureSearch {
  readonly width: number;
  readonly height: number;
  readonly components: Components;
  readonly memory: KernelMemory;
  readonly kernels: Kernels;
  /** Pointers to the planes, to the answer for a row, and to the PATTERN_SEARCH. */
  readonly planes: number;
  readonly found: number;
  readonly search: number;
}

class CpuFinder implements PlaceFinder {
  readonly device: string;
  /** For the size of the last picture. */
  #last: PictureSearch | undefined;

  constructor(
    readonly setup: FinderSetup,
    readonly kernels: Kernels['name'],
  ) {
    this.device = kernels === 'simd' ? 'CPU, WebAssembly SIMD' : 'CPU, JavaScript';
  }

  async find(picture: PelImage, components: Components): Promise<FoundPlaces> {
    const { width, height } = picture;
    const last = this.#last;
    const isLike = last?.width === width && last.height === height && last.components === components;
    const { memory, kernels, planes, found, search } = isLike ? last : await this.#prepare(width, height, components);
    writePlanes(memory.u8.subarray(planes), pelsWithout(picture, components), components);
    const positions: number[] = [];
    const sums: number[] = [];
    let turnedMs = performance.now();
    for (let y = 0; y <= height - this.setup.pattern.height; y++) {
      const count = kernels.findInRow(search, y);
      for (let i = 0; i < count; i++) {
        positions.push(y * width + memory.u32[found / 4 + 2 * i]!);
        sums.push(memory.u32[found / 4 + 2 * i + 1]!);
      }
      if (performance.now() - turnedMs < TURN_MS) continue;
      await new Promise<void>(nextTurn);
      turnedMs = performance.now();
    }
    return { positions: Uint32Array.from(positions), sums: Uint32Array.from(sums) };
  }

  async close(): Promise<void> {
    this.#last = undefined;
  }

  /** Lays out memory for pictures of another size than the last one's. */
  async #prepare(width: number, height: number, components: Components): Promise<PictureSearch> {
    const { pattern, tolerance } = this.setup;
    const { offsets, values } = patternSamples(pattern, components, { stride: width, planeBytes: width * height });
    const columns = width - pattern.width + 1;
    const parts = [components * width * height + SLACK_BYTES, offsets.byteLength, values.byteLength, 8 * columns];
    const bytes = [...parts, PATTERN_SEARCH.bytes].reduce((sum, part) => sum + part + ALIGNMENT_BYTES, 0);
    const memory = new KernelMemory(bytes);
    const [planes, offsetsAt, valuesAt, found] = parts.map(part => memory.allocate(part)) as [
      number,
      number,
      number,
      number,
    ];
    memory.i32.set(offsets, offsetsAt / 4);
    memory.u8.set(values, valuesAt);
    const search = PATTERN_SEARCH.allocate(memory, {
      columns,
      stride: width,
      samples: offsets.length,
      limit: largestSum(tolerance, offsets.length),
      planes,
      offsets: offsetsAt,
      values: valuesAt,
      found,
    });
    const kernels = await createKernels(memory, this.kernels);
    this.#last = { width, height, components, memory, kernels, planes, found, search: search.pointer };
    return this.#last;
  }
}

/** Writes pels as planes, one after the other: all red components, all green ones, all blue ones. */
function writePlanes(target: Uint8Array, pels: Uint8Array, components: Components): void {
  if (components === 1) {
    target.set(pels);
    return;
  }
  const planeBytes = pels.length / 3;
  for (let pel = 0, at = 0; pel < planeBytes; pel++, at += 3) {
    target[pel] = pels[at]!;
    target[planeBytes + pel] = pels[at + 1]!;
    target[2 * planeBytes + pel] = pels[at + 2]!;
  }
}
