// A picture in kernel memory, at full resolution and at smaller ones.
import type { KernelMemory } from '../../kernels/kernel-memory.js';
import type { Kernels } from '../../kernels/kernels.js';
import { ReducedPlace, type ReducedPlaces, reducedBytes } from '../../kernels/reduced-places.js';
import type { LumaPicture } from '../estimator.js';

/** Pictures as an algorithm needs them: their size, and how many versions, 1 to 4. */
interface PyramidSettings {
  /** Multiples of 16. */
  readonly width: number;
  readonly height: number;
  readonly levels: number;
}

/**
 * A picture and its smaller versions, each half as wide and high as the one before. A picture that has a place in the
 * same memory is searched there, and its smaller versions are made in `reduced` for all threads. Others are copied, and
 * what has no place is made beside the copy.
 */
export class Pyramid {
  /** Addresses of the versions, the finest first. The smaller ones are there while it is held. */
  planes: number[] = [];
  readonly #memory: KernelMemory;
  readonly #settings: PyramidSettings;
  readonly #reduced: ReducedPlaces | undefined;
  /** Where a copy lies, and after it its smaller versions, if they are there. */
  readonly #own: number;
  #hasOwnVersions = false;
  #place: ReducedPlace | undefined;
  #isPlaceHeld = false;

  /** Bytes that a pyramid of a picture takes. */
  static bytes({ width, height, levels }: PyramidSettings): number {
    return (levels > 1 ? 1.5 : 1) * width * height;
  }

  /** `reduced`: in the same memory, if threads share it. */
  constructor(memory: KernelMemory, settings: PyramidSettings, reduced?: ReducedPlaces) {
    this.#memory = memory;
    this.#settings = settings;
    this.#reduced = settings.levels > 1 ? reduced : undefined;
    this.#own = memory.allocateUnset(Pyramid.bytes(settings));
  }

  /** Takes another picture. Its place must hold it as long as it is searched. */
  fill({ id, pels: luma }: LumaPicture): void {
    const memory = this.#memory;
    const place = memory.addressOf(luma);
    if (!place) memory.u8.set(luma, this.#own);
    this.planes = [place || this.#own];
    this.#hasOwnVersions = false;
    this.#place = place && this.#reduced ? new ReducedPlace(memory.i32, this.#reduced, luma.length, id) : undefined;
  }

  /** Makes the smaller versions where they are not there; until `release` they stay. */
  hold(kernels: Kernels): void {
    const versions = this.#settings.levels - 1;
    const known = this.#place?.hold();
    this.#isPlaceHeld = known !== undefined;
    if (known === undefined) {
      this.#make(kernels, this.#own + this.#pels, this.#hasOwnVersions ? versions : 0);
      this.#hasOwnVersions = true;
    } else {
      // Threads may make the same at a time: they write the same bytes, and each reads what it has written itself.
      this.#make(kernels, this.#place!.half, known);
      this.#place!.made(versions);
    }
  }

  /** Ends what `hold` has begun. */
  release(): void {
    if (this.#isPlaceHeld) this.#place!.release();
    this.#isPlaceHeld = false;
  }

  get #pels(): number {
    return this.#settings.width * this.#settings.height;
  }

  /** Sets the pointers to the smaller versions, the first of which lies at `next`; makes all but `known`. */
  #make(kernels: Kernels, next: number, known: number): void {
    const { width, height, levels } = this.#settings;
    let at = next;
    for (let level = 1; level < levels; level++) {
      if (level > known) kernels.halvePlane(at, this.planes[level - 1]!, width >> (level - 1), height >> (level - 1));
      this.planes[level] = at;
      at += reducedBytes(this.#pels, level);
    }
  }
}

/** Searches `current` in `reference` while the smaller versions of both are there. */
export function holdingBoth(kernels: Kernels, [current, reference]: readonly [Pyramid, Pyramid], search: () => void) {
  current.hold(kernels);
  try {
    reference.hold(kernels);
    search();
  } finally {
    current.release();
    reference.release();
  }
}
