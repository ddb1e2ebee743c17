// What macroblocks of source pictures cost: pels in kernel memory, deviations, SADs against one picture or two.
import { InternalError } from '../../../errors.js';
import { ALIGNMENT_BYTES, type KernelMemory } from '../../../kernels/kernel-memory.js';
import type { KernelChoice, Kernels } from '../../../kernels/kernels.js';
import { kernelMemory } from '../../../kernels/memory-room.js';
import { createKernels } from '../../../kernels/select-kernels.js';
import type { MotionField } from '../../../motion/estimator.js';
import type { MacroblockGrid } from '../../../picture/picture.js';
import { log2 } from '../../../portable-math.js';

/** A luma plane in kernel memory. */
export interface SourcePlane {
  /** Room for a copy. */
  readonly own: number;
  /** The address of its pels; rows are tight. */
  pointer: number;
}

/** A vector for each macroblock in raster order, in pels. */
export interface MacroblockVectors {
  readonly dx: Int16Array;
  readonly dy: Int16Array;
}

/**
 * How the cost of a macroblock follows from its error: with its relative squared error r = (perError * error)^2, the
 * power is r + anchorError - noiseShare * min(lostNoise, r * maxLost). See `CodingCosts`.
 */
export type CostParameters = readonly [
  perError: number,
  anchorError: number,
  noiseShare: number,
  lostNoise: number,
  maxLost: number,
];

/** Fields whose costs are SADs and vector bits. */
export interface KnownFields {
  /** Vectors of a macroblock, at most. */
  readonly candidates: number;
  /** By |component|, the part of a cost that is not SAD. */
  readonly penalties: Uint32Array;
}

/** The best vectors of a field, and the SADs of their macroblocks, 255 * 256 at most. */
export interface BestOfField extends MacroblockVectors {
  readonly sad: Uint16Array;
}

/** A reference picture, and the vectors that point into it. */
export interface MotionInto<Vectors extends MacroblockVectors> {
  readonly plane: SourcePlane;
  readonly vectors: Vectors;
}

/** Where fields lie, and what is found of them. */
interface FieldPlaces {
  readonly candidates: number;
  readonly dx: number;
  readonly dy: number;
  readonly costs: number;
  readonly penalties: number;
  /** The vectors and SADs of all macroblocks. */
  readonly best: number;
}

/** A sum, a product and five parameters, as f64; see `sumCodingCosts`. */
const SUMS_BYTES = 7 * 8;
/** Components of the two vectors of a macroblock. */
const COMPONENTS = 4;
/** Bytes of a macroblock's deviation, SAD, SAD to compare with, and components. */
const MACROBLOCK_BYTES = 2 * (3 + COMPONENTS);
/** Bytes of a field's vector with its cost, and of a macroblock's best vector with its SAD. */
const CANDIDATE_BYTES = 8;
const BEST_BYTES = 6;
/** Allocations beside pictures. */
const ALLOCATIONS = 10;

/** Room for the luma of a fixed number of source pictures, and their costs. */
export class SourceCosts {
  readonly #grid: MacroblockGrid;
  readonly #memory: KernelMemory;
  readonly #kernels: Kernels;
  /** Addresses of the deviations, the SADs, other SADs and the vectors of all macroblocks. */
  readonly #deviations: number;
  readonly #sads: number;
  readonly #others: number;
  readonly #vectors: number;
  readonly #sums: number;
  /** Undefined where costs of fields are not taken for SADs. */
  readonly #fields: FieldPlaces | undefined;
  /** Addresses where a picture may be put. */
  readonly #free: number[];

  private constructor(
    grid: MacroblockGrid,
    memory: KernelMemory,
    kernels: Kernels,
    maxPictures: number,
    fields: KnownFields | undefined,
  ) {
    const macroblocks = grid.mbWidth * grid.mbHeight;
    this.#grid = grid;
    this.#memory = memory;
    this.#kernels = kernels;
    this.#deviations = memory.allocate(2 * macroblocks);
    this.#sads = memory.allocate(2 * macroblocks);
    this.#others = memory.allocate(2 * macroblocks);
    this.#vectors = memory.allocate(2 * COMPONENTS * macroblocks);
    this.#sums = memory.allocate(SUMS_BYTES);
    this.#fields = fields && placesOf(fields, memory, macroblocks);
    this.#free = Array.from({ length: maxPictures }, () => memory.allocateUnset(grid.codedWidth * grid.codedHeight));
  }

  /** Room for `maxPictures` pictures of a grid, and for a field of these `fields`. */
  static async create(
    grid: MacroblockGrid,
    maxPictures: number,
    kernels: KernelChoice,
    fields?: KnownFields,
  ): Promise<SourceCosts> {
    const { codedWidth, codedHeight, mbWidth, mbHeight } = grid;
    const ofField = fields ? BEST_BYTES + CANDIDATE_BYTES * fields.candidates : 0;
    const perMacroblock = (MACROBLOCK_BYTES + ofField) * mbWidth * mbHeight;
    const bytes =
      maxPictures * codedWidth * codedHeight +
      perMacroblock +
      SUMS_BYTES +
      (fields?.penalties.byteLength ?? 0) +
      (maxPictures + ALLOCATIONS) * ALIGNMENT_BYTES;
    const memory = kernelMemory(bytes, kernels);
    return new SourceCosts(grid, memory, await createKernels(memory, kernels), maxPictures, fields);
  }

  /** Takes room for a picture. */
  take(): SourcePlane {
    const own = this.#free.pop();
    if (own === undefined) throw new InternalError('the lookahead keeps more pictures than it has room for');
    return { own, pointer: own };
  }

  /** Takes the luma of a picture, rows tight: where it lies if that is in the same memory, else as a copy. */
  fill(plane: SourcePlane, luma: Uint8Array): void {
    plane.pointer = this.#memory.addressOf(luma) || plane.own;
    if (plane.pointer === plane.own) this.#memory.u8.set(luma, plane.own);
  }

  /** Gives a picture's room free for others. */
  release({ own }: SourcePlane): void {
    this.#free.push(own);
  }

  /**
   * What each macroblock costs without a prediction, see `macroblockDeviations`; the sum of these costs, none of which
   * counts less than `least`; and the mean of all pels.
   */
  deviations(
    { pointer }: SourcePlane,
    least: number,
  ): { readonly intra: Uint16Array; readonly total: number; readonly mean: number } {
    const { codedWidth, codedHeight, mbWidth, mbHeight } = this.#grid;
    const pels = this.#kernels.macroblockDeviations(this.#deviations, pointer, codedWidth, codedHeight);
    const first = this.#deviations >> 1;
    return {
      intra: this.#memory.u16.slice(first, first + mbWidth * mbHeight),
      total: this.#kernels.sumAtLeast(this.#deviations, least, mbWidth * mbHeight),
      mean: pels / (codedWidth * codedHeight),
    };
  }

  /** Whether the costs of fields tell SADs. */
  get knowsFields(): boolean {
    return this.#fields !== undefined;
  }

  /** The best vectors of a field, and their SADs by the field's costs. */
  bestOf({ dx, dy, cost, candidatesPerBlock }: MotionField): BestOfField {
    const places = this.#fields;
    if (!places || candidatesPerBlock > places.candidates) throw new InternalError('there is no room for a field');
    const memory = this.#memory;
    const at = (array: Int16Array | Uint32Array, own: number) => memory.addressOf(array) || own;
    const [dxAt, dyAt, costAt] = [at(dx, places.dx), at(dy, places.dy), at(cost, places.costs)];
    if (dxAt === places.dx) memory.i16.set(dx, dxAt >> 1);
    if (dyAt === places.dy) memory.i16.set(dy, dyAt >> 1);
    if (costAt === places.costs) memory.u32.set(cost, costAt >> 2);
    const macroblocks = dx.length / candidatesPerBlock;
    const { best, penalties } = places;
    this.#kernels.bestOfField(best, dxAt, dyAt, costAt, candidatesPerBlock, penalties, macroblocks);
    const { buffer } = memory.u8.slice(best, best + BEST_BYTES * macroblocks);
    return {
      dx: new Int16Array(buffer, 0, macroblocks),
      dy: new Int16Array(buffer, 2 * macroblocks, macroblocks),
      sad: new Uint16Array(buffer, 4 * macroblocks, macroblocks),
    };
  }

  /**
   * The sum of SADs, and of the SADs that are smaller than what their macroblocks cost as intra, `least` at least, or
   * else of that.
   */
  costsOf(sad: Uint16Array, intra: Uint16Array, least: number): { readonly error: number; readonly cost: number } {
    const { u16 } = this.#memory;
    u16.set(sad, this.#sads >> 1);
    u16.set(intra, this.#deviations >> 1);
    return {
      error: this.#kernels.sumAtLeast(this.#sads, 0, sad.length),
      cost: this.#kernels.sumLesser(this.#sads, this.#deviations, least, sad.length),
    };
  }

  /** SAD of each macroblock of `current` against its match in `reference`. */
  sads(current: SourcePlane, reference: MotionInto<MacroblockVectors>): Uint16Array {
    this.#interpolate(current, reference, reference);
    return this.#foundSads();
  }

  /**
   * The least SAD of each macroblock of `current`: against its match in `past`, against that in `future`, or against
   * their mean.
   */
  leastSads(current: SourcePlane, past: MotionInto<BestOfField>, future: MotionInto<BestOfField>): Uint16Array {
    this.#interpolate(current, past, future);
    for (const { sad } of [past.vectors, future.vectors]) {
      this.#memory.u16.set(sad, this.#others >> 1);
      this.#kernels.takeLesser(this.#sads, this.#others, sad.length);
    }
    return this.#foundSads();
  }

  /** Leaves the SAD of each macroblock of `current` against the mean of its matches in two pictures. */
  #interpolate(current: SourcePlane, past: MotionInto<MacroblockVectors>, future: MotionInto<MacroblockVectors>): void {
    const { mbWidth, mbHeight } = this.#grid;
    const macroblocks = mbWidth * mbHeight;
    const { i16 } = this.#memory;
    [past.vectors.dx, past.vectors.dy, future.vectors.dx, future.vectors.dy].forEach((components, i) => {
      i16.set(components, (this.#vectors >> 1) + i * macroblocks);
    });
    this.#kernels.interpolatedSads(
      this.#sads,
      this.#vectors,
      current.pointer,
      past.plane.pointer,
      future.plane.pointer,
      mbWidth,
      mbHeight,
    );
  }

  #foundSads(): Uint16Array {
    const { mbWidth, mbHeight } = this.#grid;
    return this.#memory.u16.slice(this.#sads >> 1, (this.#sads >> 1) + mbWidth * mbHeight);
  }

  /**
   * The sum over the macroblocks of a picture: of the power where that is below 1, else of 1 and the logarithm of the
   * power. The error of a macroblock is its SAD, or its cost as intra if that is smaller.
   */
  sumCodingCosts(sad: Uint16Array, intra: Uint16Array, parameters: CostParameters): number {
    const { u16, f64 } = this.#memory;
    u16.set(sad, this.#sads >> 1);
    u16.set(intra, this.#deviations >> 1);
    const sums = this.#sums >> 3;
    f64.set([0, 1, ...parameters], sums);
    // A sum of logarithms is the logarithm of a product.
    for (let first = 0; first < sad.length; ) {
      first = this.#kernels.sumCodingCosts(this.#sums, this.#sads, this.#deviations, first, sad.length);
      f64[sums]! += Math.LN2 * log2(f64[sums + 1]!);
      f64[sums + 1] = 1;
    }
    return f64[sums]!;
  }
}

function placesOf({ candidates, penalties }: KnownFields, memory: KernelMemory, macroblocks: number): FieldPlaces {
  const vectors = candidates * macroblocks;
  const places = {
    candidates,
    dx: memory.allocate(2 * vectors),
    dy: memory.allocate(2 * vectors),
    costs: memory.allocate(4 * vectors),
    penalties: memory.allocate(penalties.byteLength),
    best: memory.allocate(BEST_BYTES * macroblocks),
  };
  memory.u32.set(penalties, places.penalties >> 2);
  return places;
}
