// `cpu-predictive`: a search that starts each block from its neighbours' vectors, at half resolution first.
import { ALIGNMENT_BYTES, type KernelMemory } from '../../kernels/kernel-memory.js';
import type { Kernels } from '../../kernels/kernels.js';
import { SEARCH_JOB } from '../../kernels/records/search-job.js';
import type { ReducedPlaces } from '../../kernels/reduced-places.js';
import { searchReach } from '../cost.js';
import type { EstimatorParameters, MotionEstimator, StartField } from '../estimator.js';
import {
  type CpuAlgorithm,
  type CpuEstimatorOptions,
  type CpuSearch,
  createCpuEstimator,
  KEPT_PICTURES,
  type RowProgress,
} from './cpu-estimator.js';
import { holdingBoth, Pyramid } from './pyramid.js';
import {
  allocateField,
  allocatePenalties,
  type FieldPointers,
  fieldBytes,
  jobSettings,
  penaltyBytes,
} from './search-memory.js';

/** Resolutions: full and half. */
const LEVELS = 2;
/** Vectors kept per block from half to full resolution: as many as are asked for, and at most so many. */
const MAX_KEPT_VECTORS = 2;
/** Reach of the search around each doubled vector, in pels. */
const RADIUS = 1;
/** First step at half resolution, in pels of it: without a start field, and with one (docs/decisions/hot-path.md). */
const FIRST_STEP = 16;
const FIRST_STEP_FROM_START = 4;
/**
 * Cost of a vector bit at half resolution, whatever the lambda at full resolution: it draws vectors towards zero where
 * the pels say little, and so keeps the field smooth. For `sse` it is what 8 in SAD are worth where pels differ by 4,
 * since the squared error grows by 2 * 4 for each unit of SAD. That is not measured.
 */
const HALF_LAMBDA = { sad: 8, sse: 64 } as const;

/**
 * Makes `cpu-predictive`. At half resolution each block is searched with ever smaller steps from the best of these
 * vectors: zero, those of the blocks to the left, above and above right, and half the start field's. At full resolution
 * the neighbourhoods of the doubled vectors are searched.
 *
 *     half     8x8 blocks    steps 16 (4 with a start field), 8, 4, 2, 1   -> 2 best, 1 if K is 1
 *     full     16x16 blocks  2 times 3x3 vectors                           -> K best
 */
export function createCpuPredictive(
  parameters: EstimatorParameters,
  options: CpuEstimatorOptions = {},
): Promise<MotionEstimator> {
  return createCpuEstimator(parameters, options, () => predictiveSearch(parameters));
}

function predictiveSearch(parameters: EstimatorParameters): CpuAlgorithm<Pyramid> {
  const { width, height, blockSize, candidatesPerBlock } = parameters;
  const halves = halfResolution(parameters);
  const [fullReach, halfReach] = [searchReach(parameters), searchReach(halves)];
  const keptVectors = halves.candidatesPerBlock;
  const rows = height / blockSize;
  const blocks = (width / blockSize) * rows;

  const bind = (memory: KernelMemory, kernels: Kernels, reduced?: ReducedPlaces): CpuSearch<Pyramid> => {
    const field = allocateField(memory, blocks, candidatesPerBlock);
    const kept = allocateField(memory, blocks, keptVectors);
    const startDx = memory.allocate(2 * blocks);
    const startDy = memory.allocate(2 * blocks);
    const halfJob = SEARCH_JOB.allocate(memory, {
      ...jobSettings(halves, halfReach),
      ...allocatePenalties(memory, halves, halfReach),
      ...kept,
      keptDx: startDx,
      keptDy: startDy,
    });
    const fullJob = SEARCH_JOB.allocate(memory, {
      ...jobSettings(parameters, fullReach),
      ...allocatePenalties(memory, parameters, fullReach),
      ...field,
      kept: keptVectors,
      keptDx: kept.dx,
      keptDy: kept.dy,
      radius: RADIUS,
    });

    const columns = blocks / rows;
    const writeHalved = (components: Int16Array, row: number, pointer: number): void => {
      const { i16 } = memory;
      for (let i = row * columns; i < (row + 1) * columns; i++) i16[pointer / 2 + i] = Math.round(components[i]! / 2);
    };

    return {
      field,
      createSlot: () => new Pyramid(memory, { width, height, levels: LEVELS }, reduced),
      fill: (pyramid, picture) => pyramid.fill(picture),
      search(current, reference, start: StartField | undefined, progress: RowProgress | undefined) {
        const found = progress && foundSoFar(memory, field, blocks, candidatesPerBlock);
        halfJob.kept = start ? 1 : 0;
        halfJob.radius = start ? FIRST_STEP_FROM_START : FIRST_STEP;
        holdingBoth(kernels, [current, reference], () => {
          Object.assign(halfJob, { current: current.planes[1], reference: reference.planes[1] });
          Object.assign(fullJob, { current: current.planes[0], reference: reference.planes[0] });
          for (let row = 0; row < rows; row++) {
            progress?.waitForStart(row);
            if (start) {
              writeHalved(start.dx, row, startDx);
              writeHalved(start.dy, row, startDy);
            }
            kernels.searchPredictively(halfJob.pointer, row);
            kernels.searchNeighbourhoods(fullJob.pointer, row);
            progress?.found(row, found!);
          }
        });
      },
    };
  };

  const slotBytes = Pyramid.bytes({ width, height, levels: LEVELS }) + ALIGNMENT_BYTES;
  const searchBytes =
    fieldBytes(blocks, candidatesPerBlock) +
    fieldBytes(blocks, keptVectors) +
    2 * (2 * blocks + ALIGNMENT_BYTES) +
    penaltyBytes(fullReach) +
    penaltyBytes(halfReach) +
    2 * (SEARCH_JOB.bytes + ALIGNMENT_BYTES);
  return {
    name: 'cpu-predictive',
    exhaustive: false,
    usesStart: true,
    keptPictures: KEPT_PICTURES,
    slotBytes,
    searchBytes,
    bind,
  };
}

/** The vectors that a search is writing. */
function foundSoFar({ i16 }: KernelMemory, { dx, dy }: FieldPointers, blocks: number, candidatesPerBlock: number) {
  const components = (pointer: number) => i16.subarray(pointer / 2, pointer / 2 + blocks * candidatesPerBlock);
  return { dx: components(dx), dy: components(dy), candidatesPerBlock };
}

/** What stands for the parameters at half resolution; every vector of the range has its half there. */
function halfResolution({ width, height, blockSize, metric, range, candidatesPerBlock }: EstimatorParameters) {
  return {
    width: width / 2,
    height: height / 2,
    blockSize: blockSize / 2,
    metric,
    range: range === 'picture' ? range : { x: Math.ceil(range.x / 2), y: Math.ceil(range.y / 2) },
    candidatesPerBlock: Math.min(MAX_KEPT_VECTORS, candidatesPerBlock),
    lambda: HALF_LAMBDA[metric],
  };
}
