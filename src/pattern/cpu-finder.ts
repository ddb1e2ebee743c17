// Finds a pattern on the CPU: a kernel goes over the rows of a picture.
import { ALIGNMENT_BYTES, KernelMemory } from '../kernels/kernel-memory.js';
import { PATTERN_SEARCH } from '../kernels/records/pattern-search.js';
import { createVisionKernels } from '../kernels/select-vision-kernels.js';
import type { VisionKernels } from '../kernels/vision-kernels.js';
import { nextTurn } from '../threads/next-turn.js';
import { patternSamples } from './pattern.js';
import { type Components, type PelImage, pelsWithoutAlpha } from './pel-image.js';
import type { FinderSetup, FoundPlaces, PlaceFinder } from './place-finder.js';
import { largestSum } from './tolerance.js';

/** Bytes behind the planes that a kernel reads and does not use: sixteen places are compared at a time. */
const SLACK_BYTES = 16;
/** The event loop turns after this long. */
const TURN_MS = 50;

/** Makes a finder on the CPU with the kernel set of this name; by default as `createVisionKernels`. */
export async function createCpuFinder(setup: FinderSetup, kernels?: string): Promise<PlaceFinder> {
  const first = await createVisionKernels(new KernelMemory(0), kernels);
  return new CpuFinder(setup, first.name);
}

/** Memory and kernels for pictures of one size. */
interface PictureSearch {
  readonly width: number;
  readonly height: number;
  readonly components: Components;
  readonly memory: KernelMemory;
  readonly kernels: VisionKernels;
  /** Pointers: to the pels as they come, to their planes (of gray the same), to the answer for a row ... */
  readonly pels: number;
  readonly planes: number;
  readonly found: number;
  /** ... and to the PATTERN_SEARCH. */
  readonly search: number;
}

type Pointers = [pels: number, split: number, offsets: number, values: number, found: number];

class CpuFinder implements PlaceFinder {
  readonly device: string;
  /** For the size of the last picture. */
  #last: PictureSearch | undefined;

  constructor(
    readonly setup: FinderSetup,
    readonly kernels: VisionKernels['name'],
  ) {
    this.device = kernels === 'simd' ? 'CPU, WebAssembly SIMD' : 'CPU, JavaScript';
  }

  async find(picture: PelImage, components: Components): Promise<FoundPlaces> {
    const { width, height } = picture;
    const last = this.#last;
    const isLike = last?.width === width && last.height === height && last.components === components;
    const laidOut = isLike ? last : await this.#prepare(width, height, components);
    const { memory, kernels, pels, planes, found, search } = laidOut;
    memory.u8.set(pelsWithoutAlpha(picture, components), pels);
    if (components === 3) kernels.splitComponents(planes, pels, width * height);
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
    const planeBytes = width * height;
    const { offsets, values } = patternSamples(pattern, components, { stride: width, planeBytes });
    const columns = width - pattern.width + 1;
    const picture = components * planeBytes + SLACK_BYTES;
    const parts = [picture, components === 3 ? picture : 0, offsets.byteLength, values.byteLength, 8 * columns];
    const bytes = [...parts, PATTERN_SEARCH.bytes].reduce((sum, part) => sum + part + ALIGNMENT_BYTES, 0);
    const memory = new KernelMemory(bytes);
    const [pels, split, offsetsAt, valuesAt, found] = parts.map(part => memory.allocate(part)) as Pointers;
    const planes = components === 3 ? split : pels;
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
    const kernels = await createVisionKernels(memory, this.kernels);
    this.#last = { width, height, components, memory, kernels, pels, planes, found, search: search.pointer };
    return this.#last;
  }
}
