// `cpu-mrmp`: the multiresolution multi-predictor search, on the CPU.
import { ALIGNMENT_BYTES, type KernelMemory } from '../../kernels/kernel-memory.js';
import type { Kernels } from '../../kernels/kernels.js';
import { SEARCH_JOB, type SearchJob } from '../../kernels/records/search-job.js';
import type { ReducedPlaces } from '../../kernels/reduced-places.js';
import type { EstimatorParameters, MotionEstimator } from '../estimator.js';
import { type MrmpSettings, mrmpSettings } from '../mrmp-settings.js';
import { BlockSums } from './block-sums.js';
import {
  type CpuAlgorithm,
  type CpuEstimatorOptions,
  type CpuSearch,
  createCpuEstimator,
  KEPT_LARGE_PICTURES,
  KEPT_PICTURES,
} from './cpu-estimator.js';
import { holdingBoth, Pyramid } from './pyramid.js';
import { allocateField, allocatePenalties, fieldBytes, jobSettings, penaltyBytes } from './search-memory.js';

/**
 * Makes `cpu-mrmp`: the search of Mazaré, Dugelay and Pacalet (EUSIPCO 2006). At the coarsest level of a pyramid every
 * vector of the range is tried, and the best few are kept. At each finer level the neighbourhoods of the doubled
 * vectors are searched. `gpu-mrmp` gives the same fields.
 *
 *     quarter  4x4 blocks    all vectors      -> P best
 *     half     8x8 blocks    P times 3x3      -> P best
 *     full     16x16 blocks  P times 3x3      -> K best
 */
export function createCpuMrmp(
  parameters: EstimatorParameters,
  options: CpuEstimatorOptions = {},
): Promise<MotionEstimator> {
  return createCpuEstimator(parameters, options, () => multiresolutionSearch(parameters));
}

/** The versions of a picture, and the block sums of the coarsest. */
interface SummedPyramid {
  readonly pyramid: Pyramid;
  readonly coarsestSums: BlockSums;
}

/** Side of the smallest block that `SearchKernels.searchByElimination` takes, in pels. */
const MIN_ELIMINATION_BLOCK = 4;

function multiresolutionSearch(parameters: EstimatorParameters): CpuAlgorithm<SummedPyramid> {
  const { width, height, metric, blockSize } = parameters;
  const settings = mrmpSettings(parameters);
  const levels = Array.from({ length: settings.levels }, (_, level) => levelOf(parameters, settings, level));
  const coarsest = levels.at(-1)!;
  const rows = height / blockSize;
  const blocks = (width / blockSize) * rows;
  const fullReach = {
    x: Math.max(...levels.map(({ level, reach }) => reach.x << level)),
    y: Math.max(...levels.map(({ level, reach }) => reach.y << level)),
  };

  const bind = (memory: KernelMemory, kernels: Kernels, reduced?: ReducedPlaces): CpuSearch<SummedPyramid> => {
    const penalties = allocatePenalties(memory, parameters, fullReach);
    const fields = levels.map(({ candidates }) => allocateField(memory, blocks, candidates));
    const jobs = levels.map(plane =>
      SEARCH_JOB.allocate(memory, {
        ...jobSettings({ ...plane, metric, candidatesPerBlock: plane.candidates }, plane.reach),
        level: plane.level,
        ...penalties,
        ...fields[plane.level],
        kept: settings.predictors,
        keptDx: fields[plane.level + 1]?.dx ?? 0,
        keptDy: fields[plane.level + 1]?.dy ?? 0,
        radius: settings.radius,
      }),
    );
    const searchByElimination = coarsest.blockSize >= MIN_ELIMINATION_BLOCK;

    const searchCoarsest = (job: SearchJob, { pyramid, coarsestSums }: SummedPyramid): void => {
      const plane = pyramid.planes[coarsest.level]!;
      Object.assign(job, coarsestSums.of(kernels, plane, coarsest.width, coarsest.height));
      for (let row = 0; row < rows; row++) {
        if (searchByElimination) kernels.searchByElimination(job.pointer, row);
        else kernels.searchExhaustively(job.pointer, row);
      }
    };

    return {
      field: fields[0]!,
      createSlot: () => ({
        pyramid: new Pyramid(memory, { width, height, levels: settings.levels }, reduced),
        coarsestSums: new BlockSums(memory, coarsest.pels),
      }),
      fill({ pyramid, coarsestSums }, picture) {
        coarsestSums.invalidate();
        pyramid.fill(picture);
      },
      search(current, reference) {
        holdingBoth(kernels, [current.pyramid, reference.pyramid], () => {
          for (let level = coarsest.level; level >= 0; level--) {
            const job = jobs[level]!;
            const [currentPlane, referencePlane] = [current.pyramid.planes[level]!, reference.pyramid.planes[level]!];
            Object.assign(job, { current: currentPlane, reference: referencePlane });
            if (level === coarsest.level) searchCoarsest(job, reference);
            else for (let row = 0; row < rows; row++) kernels.searchNeighbourhoods(job.pointer, row);
          }
        });
      },
    };
  };

  const pyramidBytes = Pyramid.bytes({ width, height, levels: settings.levels }) + ALIGNMENT_BYTES;
  const slotBytes = pyramidBytes + BlockSums.bytes(coarsest.pels);
  const levelBytes = levels.reduce(
    (bytes, { candidates }) => bytes + fieldBytes(blocks, candidates) + SEARCH_JOB.bytes + ALIGNMENT_BYTES,
    0,
  );
  const searchBytes = penaltyBytes(fullReach) + levelBytes;
  // With one level, the block sums are those of the whole picture.
  const keptPictures = settings.levels === 1 ? KEPT_LARGE_PICTURES : KEPT_PICTURES;
  return { name: 'cpu-mrmp', exhaustive: false, keptPictures, slotBytes, searchBytes, bind };
}

/** A level of the pyramid in its own pels; its reach is cut to the picture. */
function levelOf(parameters: EstimatorParameters, settings: MrmpSettings, level: number) {
  const width = parameters.width >> level;
  const height = parameters.height >> level;
  const blockSize = parameters.blockSize >> level;
  const range = settings.rangeAt(level, parameters.width, parameters.height);
  return {
    level,
    width,
    height,
    pels: width * height,
    blockSize,
    reach: { x: Math.min(range.x, width - blockSize), y: Math.min(range.y, height - blockSize) },
    candidates: level === 0 ? parameters.candidatesPerBlock : settings.predictors,
  };
}
