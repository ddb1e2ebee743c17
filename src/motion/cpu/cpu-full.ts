// `cpu-full`: the exhaustive search, which tries every vector of the range.
import { ALIGNMENT_BYTES, type KernelMemory } from '../../kernels/kernel-memory.js';
import type { Kernels } from '../../kernels/kernels.js';
import { SEARCH_JOB } from '../../kernels/records/search-job.js';
import { searchReach } from '../cost.js';
import type { EstimatorParameters, MotionEstimator } from '../estimator.js';
import { BlockSums } from './block-sums.js';
import {
  type CpuAlgorithm,
  type CpuEstimatorOptions,
  type CpuSearch,
  createCpuEstimator,
  KEPT_LARGE_PICTURES,
} from './cpu-estimator.js';
import { Pyramid } from './pyramid.js';
import { allocateField, allocatePenalties, fieldBytes, jobSettings, penaltyBytes } from './search-memory.js';

/** Options of `cpu-full`. */
export interface CpuFullOptions extends CpuEstimatorOptions {
  /** False compares every vector in full, for measurements; the answer is the same. True by default. */
  readonly elimination?: boolean;
}

/** Makes `cpu-full`. An estimator whose trait `exhaustive` is true gives the same fields. */
export function createCpuFull(parameters: EstimatorParameters, options: CpuFullOptions = {}): Promise<MotionEstimator> {
  return createCpuEstimator(parameters, options, () => fullSearch(parameters, options.elimination ?? true));
}

/** A picture at its one resolution, and its block sums. */
interface SummedPlane {
  readonly pyramid: Pyramid;
  readonly sums: BlockSums;
}

function fullSearch(parameters: EstimatorParameters, elimination: boolean): CpuAlgorithm<SummedPlane> {
  const { width, height, blockSize, candidatesPerBlock } = parameters;
  const pels = width * height;
  const blocks = pels / blockSize ** 2;
  const reach = searchReach(parameters);

  const bind = (memory: KernelMemory, kernels: Kernels): CpuSearch<SummedPlane> => {
    const field = allocateField(memory, blocks, candidatesPerBlock);
    const job = SEARCH_JOB.allocate(memory, {
      ...jobSettings(parameters, reach),
      ...allocatePenalties(memory, parameters, reach),
      ...field,
    });
    return {
      field,
      createSlot: () => ({
        pyramid: new Pyramid(memory, { width, height, levels: 1 }),
        sums: new BlockSums(memory, pels),
      }),
      fill({ pyramid, sums }, picture) {
        pyramid.fill(picture);
        sums.invalidate();
      },
      search(current, reference) {
        const plane = reference.pyramid.planes[0]!;
        const sums = reference.sums.of(kernels, plane, width, height);
        Object.assign(job, { current: current.pyramid.planes[0], reference: plane, ...sums });
        for (let row = 0; row < height / blockSize; row++) {
          if (elimination) kernels.searchByElimination(job.pointer, row);
          else kernels.searchExhaustively(job.pointer, row);
        }
      },
    };
  };

  const slotBytes = pels + ALIGNMENT_BYTES + BlockSums.bytes(pels);
  const searchBytes = fieldBytes(blocks, candidatesPerBlock) + penaltyBytes(reach) + SEARCH_JOB.bytes + ALIGNMENT_BYTES;
  return { name: 'cpu-full', exhaustive: true, keptPictures: KEPT_LARGE_PICTURES, slotBytes, searchBytes, bind };
}
