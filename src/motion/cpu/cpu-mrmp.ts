import type { KernelMemory } from '../../kernels/kernel-memory.js';
import type { Kernels } from '../../kernels/kernels.js';
import { SEARCH_JOB, type SearchJob } from '../../kernels/records/search-job.js';
import type { EstimatorParameters, MotionEstimator } from '../estimator.js';
import { mrmpSettings } from '../mrmp-settings.js';
import {
  type CpuAlgorithm,
  type CpuEstimatorOptions,
  type CpuSearch,
  createCpuEstimator,
  type FieldPointers,
  KEPT_PICTURES,
} from './cpu-estimator.js';
import { ALIGNMENT_BYTES, allocateField, allocatePenalties, fieldBytes, penaltyBytes } from './search-memory.js';

/**
 * `cpu-mrmp`: the multiresolution multi-predictor search of Mazaré, Dugelay and Pacalet (EUSIPCO 2006). At the coarsest
 * level of a pyramid every vector in range is tried and the best few are kept; at each finer one the neighbourhoods of
 * the doubled vectors are searched. `gpu-mrmp` answers the same.
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

/** A picture at each level, the finest first, and the block sums of the coarsest, made when it is first searched. */
interface Pyramid {
  readonly planes: readonly number[];
  readonly sums4: number;
  readonly sums8: number;
  readonly sums16: number;
  summed: boolean;
}

/** Smallest block that the elimination by block sums takes. */
const MIN_SUMMED_BLOCK = 4;

function multiresolutionSearch(parameters: EstimatorParameters): CpuAlgorithm<Pyramid> {
  const { width, height, metric, blockSize, candidatesPerBlock } = parameters;
  const settings = mrmpSettings(parameters);
  const levels = Array.from({ length: settings.levels }, (_, level) => levelOf(parameters, level));
  const coarsest = levels.at(-1)!;
  const blocks = (width * height) / blockSize ** 2;
  const reach = {
    x: Math.max(...levels.map(({ level, reachX }) => reachX << level)),
    y: Math.max(...levels.map(({ level, reachY }) => reachY << level)),
  };

  const bind = (memory: KernelMemory, kernels: Kernels): CpuSearch<Pyramid> => {
    const slots = Array.from({ length: KEPT_PICTURES }, () => ({
      planes: levels.map(({ pels }) => memory.allocate(pels)),
      sums4: memory.allocate(2 * coarsest.pels),
      sums8: memory.allocate(2 * coarsest.pels),
      sums16: memory.allocate(2 * coarsest.pels),
      summed: false,
    }));
    const penalties = allocatePenalties(memory, parameters, reach);
    const fields = levels.map(({ level }) =>
      allocateField(memory, blocks, level === 0 ? candidatesPerBlock : settings.predictors),
    );
    const jobs = levels.map(
      ({ level, width: levelWidth, height: levelHeight, blockSize: levelBlock, reachX, reachY }) =>
        SEARCH_JOB.allocate(memory, {
          width: levelWidth,
          height: levelHeight,
          blockSize: levelBlock,
          metric: metric === 'sse' ? 1 : 0,
          rangeX: reachX,
          rangeY: reachY,
          candidates: level === 0 ? candidatesPerBlock : settings.predictors,
          level,
          ...penalties,
          ...fields[level],
          kept: settings.predictors,
          keptDx: fields[level + 1]?.dx ?? 0,
          keptDy: fields[level + 1]?.dy ?? 0,
          radius: settings.radius,
        }),
    );
    const rows = height / blockSize;

    const searchCoarsest = (job: SearchJob, reference: Pyramid): void => {
      const { sums4, sums8, sums16 } = reference;
      Object.assign(job, { sums4, sums8, sums16 });
      if (!reference.summed) {
        kernels.blockSums(sums4, sums8, sums16, reference.planes[coarsest.level]!, coarsest.width, coarsest.height);
        reference.summed = true;
      }
      const byElimination = coarsest.blockSize >= MIN_SUMMED_BLOCK;
      for (let row = 0; row < rows; row++) {
        if (byElimination) kernels.searchByElimination(job.pointer, row);
        else kernels.searchExhaustively(job.pointer, row);
      }
    };

    return {
      slots,
      field: fields[0] as FieldPointers,
      fill(slot, picture) {
        const { planes } = slot;
        slot.summed = false;
        memory.u8.set(picture.pels, planes[0]);
        for (const { level, width: fineWidth, height: fineHeight } of levels.slice(0, -1)) {
          kernels.halvePlane(planes[level + 1]!, planes[level]!, fineWidth, fineHeight);
        }
      },
      search(current, reference) {
        for (let level = coarsest.level; level >= 0; level--) {
          const job = jobs[level]!;
          Object.assign(job, { current: current.planes[level]!, reference: reference.planes[level]! });
          if (level === coarsest.level) searchCoarsest(job, reference);
          else for (let row = 0; row < rows; row++) kernels.searchNeighbourhoods(job.pointer, row);
        }
      },
    };
  };

  const slotBytes = levels.reduce(
    (bytes, { pels }) => bytes + pels + ALIGNMENT_BYTES,
    3 * (2 * coarsest.pels + ALIGNMENT_BYTES),
  );
  const memoryBytes =
    KEPT_PICTURES * slotBytes +
    penaltyBytes(reach) +
    levels.length *
      (fieldBytes(blocks, Math.max(candidatesPerBlock, settings.predictors)) + SEARCH_JOB.bytes + ALIGNMENT_BYTES);
  return { name: 'cpu-mrmp', exhaustive: false, memoryBytes, bind };
}

/** Sizes and reach of a level in its own pels; the reach is cut to the picture. */
function levelOf(parameters: EstimatorParameters, level: number) {
  const width = parameters.width >> level;
  const height = parameters.height >> level;
  const blockSize = parameters.blockSize >> level;
  const range = mrmpSettings(parameters).rangeAt(level, parameters.width, parameters.height);
  return {
    level,
    width,
    height,
    pels: width * height,
    blockSize,
    reachX: Math.min(range.x, width - blockSize),
    reachY: Math.min(range.y, height - blockSize),
  };
}
