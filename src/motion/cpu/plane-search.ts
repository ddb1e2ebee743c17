// The algorithm of a CPU search that needs nothing but the two planes.
import { ALIGNMENT_BYTES, type KernelMemory } from '../../kernels/kernel-memory.js';
import type { Kernels } from '../../kernels/kernels.js';
import { SEARCH_JOB } from '../../kernels/records/search-job.js';
import { searchReach } from '../cost.js';
import type { EstimatorParameters } from '../estimator.js';
import { type CpuAlgorithm, type CpuSearch, KEPT_PICTURES } from './cpu-estimator.js';
import { Pyramid } from './pyramid.js';
import { allocateField, allocatePenalties, fieldBytes, jobSettings, penaltyBytes } from './search-memory.js';

/** A search that is not exhaustive. `searchRow` answers one row of blocks of a job; its kept vectors are zero. */
export function planeSearch(
  name: string,
  parameters: EstimatorParameters,
  searchRow: (kernels: Kernels, job: number, row: number) => void,
): CpuAlgorithm<Pyramid> {
  const { width, height, blockSize, candidatesPerBlock } = parameters;
  const pels = width * height;
  const blocks = pels / blockSize ** 2;
  const reach = searchReach(parameters);

  const bind = (memory: KernelMemory, kernels: Kernels): CpuSearch<Pyramid> => {
    const field = allocateField(memory, blocks, candidatesPerBlock);
    const kept = allocateField(memory, blocks, 1);
    const job = SEARCH_JOB.allocate(memory, {
      ...jobSettings(parameters, reach),
      ...allocatePenalties(memory, parameters, reach),
      ...field,
      kept: 1,
      keptDx: kept.dx,
      keptDy: kept.dy,
      radius: 0,
    });
    return {
      field,
      createSlot: () => new Pyramid(memory, { width, height, levels: 1 }),
      fill: (pyramid, picture) => pyramid.fill(picture),
      search(current, reference) {
        Object.assign(job, { current: current.planes[0], reference: reference.planes[0] });
        for (let row = 0; row < height / blockSize; row++) searchRow(kernels, job.pointer, row);
      },
    };
  };

  const searchBytes =
    fieldBytes(blocks, candidatesPerBlock) +
    fieldBytes(blocks, 1) +
    penaltyBytes(reach) +
    SEARCH_JOB.bytes +
    ALIGNMENT_BYTES;
  const slotBytes = pels + ALIGNMENT_BYTES;
  return { name, exhaustive: false, keptPictures: KEPT_PICTURES, slotBytes, searchBytes, bind };
}
