// A picture in kernel memory, at full resolution and at smaller ones.
import { ALIGNMENT_BYTES, type KernelMemory } from '../../kernels/kernel-memory.js';
import type { Kernels } from '../../kernels/kernels.js';
import { MAX_REDUCTIONS, madeAt } from '../../kernels/picture-place.js';
import type { LumaPicture } from '../estimator.js';

/**
 * A picture and its smaller versions, each half as wide and high as the one before. A picture that has a place in the
 * same memory is searched there, and its smaller versions are made there once for all threads. Others are copied.
 */
export class Pyramid {
  /** Addresses of the versions, the finest first. */
  planes: number[] = [];
  /** Where a copy lies, and after it its smaller versions. */
  readonly #own: number;

  /** Bytes that a pyramid of a picture takes. */
  static bytes(pels: number, levels: number): number {
    return levels > 1 ? 1.5 * pels : pels;
  }

  /** Width and height are multiples of 16; 1 to 4 levels. */
  constructor(
    readonly memory: KernelMemory,
    readonly width: number,
    readonly height: number,
    readonly levels: number,
  ) {
    this.#own = memory.allocateUnset(Pyramid.bytes(width * height, levels));
  }

  /** Takes another picture. Its place must hold it as long as it is searched. */
  fill(kernels: Kernels, { id, pels: luma }: LumaPicture): void {
    const { memory, width, height, levels } = this;
    const pels = width * height;
    const place = memory.addressOf(luma);
    const made = madeAt(place, pels);
    let plane = place || this.#own;
    let next = place ? made + ALIGNMENT_BYTES : plane + pels;
    if (!place) memory.u8.set(luma, plane);
    // Threads may make the same at a time: they write the same bytes, and each reads what it has written itself.
    const word = place && Atomics.load(memory.i32, made >> 2) - 4 * id;
    const known = word > MAX_REDUCTIONS || word < 0 ? 0 : word;
    this.planes = [plane];
    for (let level = 1; level < levels; level++) {
      if (level > known) kernels.halvePlane(next, plane, width >> (level - 1), height >> (level - 1));
      plane = next;
      this.planes.push(plane);
      next += Math.ceil((pels >> (2 * level)) / ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
    }
    if (place && known < levels - 1) Atomics.store(memory.i32, made >> 2, 4 * id + levels - 1);
  }
}
