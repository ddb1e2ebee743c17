// Takes noise out of a picture before it is coded: its luma is blended with the pictures around it, along their motion.
import type { FilterNumbers } from '../../kernels/contracts/picture-kernels.js';
import type { KernelChoice } from '../../kernels/kernels.js';
import { MACROBLOCK_SIZE } from '../../picture/picture.js';
import { power } from '../../portable-math.js';
import { createFilterApart, type FilterApart, type FilterMemory } from './filter-memory.js';
import type { PictureAround, PictureJob } from './picture-job.js';
import type { Workspace } from './workspace.js';

/**
 * What a pel of the nearest pictures counts beside the picture's own, where they are equal, and a pel of those behind
 * them. Fitted, with the ranges below, to clips with and without noise: docs/decisions/temporal-filter.md.
 */
const NEAREST_WEIGHT = 0.4;
const FURTHER_WEIGHT = 0.27;
/**
 * A pel that differs by this many times scale^RANGE_POWER counts nothing, nor does a macroblock that differs so much in
 * the root of its mean square: what the quantizer would keep stays.
 */
const PEL_RANGE = 3.2;
const MACROBLOCK_RANGE = 1.25;
const RANGE_POWER = 1.5;
/** Noise is kept where the quantizer_scale is less than this many times its mean absolute value. */
const NOISE_KEPT = 1.2;
/** The widest range of pels that the kernel knows, and the largest product of a square of a range. */
const MAX_PEL_RANGE = 181;
const MAX_PEL_SQUARE = 2 ** 15 - 1;

/** What decides how a picture is filtered. */
export type FilteredJob = Pick<PictureJob, 'picture' | 'around' | 'quantizerScale'>;

/**
 * Filters pictures before they are coded. Bilateral in time, as the filters of HM and VTM (JCTVC-AI0023, JVET-O0549):
 * each pel is blended with those that its macroblock's motion leads to, the less the more they differ.
 */
export class TemporalFilter {
  readonly #workspace: Workspace;
  readonly #here: FilterMemory;
  readonly #kernels: KernelChoice | string;
  #apart: FilterApart | undefined;
  /** Whether rows are filtered as the picture is coded. */
  #filtersRows = false;

  /** `kernels`: those of the workspace. */
  constructor(workspace: Workspace, here: FilterMemory, kernels: KernelChoice | string) {
    this.#workspace = workspace;
    this.#here = here;
    this.#kernels = kernels;
  }

  /**
   * Begins a picture that was loaded. It may stay as it is; else the source is its filtered luma, row by row where
   * `filterRow` makes it. Pictures that do not all lie in the memory of the workspace are filtered in another one, as a
   * whole.
   */
  async begin(job: PictureJob): Promise<void> {
    this.#filtersRows = false;
    const { picture, around, filtered, quantizerScale } = job;
    const numbers = numbersOf(job);
    if (!numbers) return;
    const { memory, source, ownSource, grid } = this.#workspace;
    if (filtered?.quantizerScale === quantizerScale) {
      source.y = filtered.y;
      return;
    }
    const isHere = [picture, ...around.map(other => other.picture)].every(({ y }) => memory.addressOf(y) > 0);
    if (isHere) {
      const references = around.map(other => memory.addressOf(other.picture.y));
      setUp(this.#here, around, numbers, source.y, references);
      this.#filtersRows = true;
    } else {
      this.#apart ??= await createFilterApart(grid, this.#kernels);
      const { memory: other, record, kernels, current, references, target } = this.#apart;
      other.u8.set(picture.y, current);
      for (const [i, { picture: at }] of around.entries()) other.u8.set(at.y, references[i]!);
      setUp(this.#apart, around, numbers, current, references);
      record.target = target;
      for (let mbY = 0; mbY < grid.mbHeight; mbY++) kernels.filterLumaRow(record.pointer, mbY);
      memory.u8.set(other.u8.subarray(target, target + picture.y.length), ownSource.y);
      source.y = ownSource.y;
    }
  }

  /** Filters row `mbY`, which is coded next, into the room for a row: the source begins where this row lies there. */
  filterRow(mbY: number): void {
    if (!this.#filtersRows) return;
    const { source, sourceRow } = this.#workspace;
    const { kernels, record } = this.#here;
    source.y = sourceRow - MACROBLOCK_SIZE * mbY * source.lumaStride;
    record.target = source.y;
    kernels.filterLumaRow(record.pointer, mbY);
  }
}

/** How near pels and macroblocks must be to count. */
interface FilterRanges {
  /** The difference of a pel from which on it counts nothing, 2.5..181. */
  readonly pels: number;
  /** The root mean square difference of a macroblock from which on it counts nothing, above 0, below 256. */
  readonly macroblock: number;
}

/** What the kernel is told of ranges, and of references that count `weights` at most, 0..0.5 each. */
export function filterNumbers(ranges: FilterRanges, weights: readonly number[]): FilterNumbers {
  const square = ranges.pels ** 2;
  const pelFactor = Math.floor(MAX_PEL_SQUARE / square);
  const pelSquare = Math.floor(pelFactor * square);
  const equal = ((pelSquare >> 7) ** 2) >> 8;
  return {
    pelLimit: Math.ceil(ranges.pels),
    pelFactor,
    pelSquare,
    maxSquares: Math.ceil((MACROBLOCK_SIZE * ranges.macroblock) ** 2),
    strengths: weights.map(weight => Math.round((2 ** 16 * weight) / equal)),
  };
}

/** What a picture is filtered by; undefined where it stays as it is. */
export function numbersOf({ picture, around, quantizerScale }: FilteredJob): FilterNumbers | undefined {
  const noise = Math.min(...around.map(other => other.noise));
  if (around.length === 0 || quantizerScale < NOISE_KEPT * noise) return undefined;
  const unit = power(quantizerScale, RANGE_POWER);
  const ranges = { pels: Math.min(PEL_RANGE * unit, MAX_PEL_RANGE), macroblock: MACROBLOCK_RANGE * unit };
  const isNearest = ({ picture: { id } }: PictureAround) => Math.abs(id - picture.id) === 1;
  return filterNumbers(
    ranges,
    around.map(other => (isNearest(other) ? NEAREST_WEIGHT : FURTHER_WEIGHT)),
  );
}

/** Tells the kernel all but where the filtered luma goes. */
function setUp(
  { memory, record, vectors }: FilterMemory,
  around: PictureJob['around'],
  { strengths, ...numbers }: FilterNumbers,
  current: number,
  references: readonly number[],
): void {
  Object.assign(record, { current, count: around.length, ...numbers });
  record.strengths.set(strengths);
  around.forEach(({ dx, dy, isReversed }, i) => {
    const at = vectors[i]!;
    memory.i16.set(dx, at.dx >> 1);
    memory.i16.set(dy, at.dy >> 1);
    record.planes[i] = references[i]!;
    record.dx[i] = at.dx;
    record.dy[i] = at.dy;
    record.signs[i] = isReversed ? -1 : 1;
  });
}
