import type { KernelMemory } from '../../kernels/kernel-memory.js';
import type { Kernels } from '../../kernels/kernels.js';
import { SEARCH_JOB } from '../../kernels/records/search-job.js';
import { searchReach } from '../cost.js';
import type { EstimatorParameters } from '../estimator.js';
import { type CpuAlgorithm, type CpuSearch, KEPT_PICTURES } from './cpu-estimator.js';
import { ALIGNMENT_BYTES, allocateField, allocatePenalties, fieldBytes, penaltyBytes } from './search-memory.js';

/** An algorithm that needs the two planes and nothing else; `searchRow` answers one row of blocks of a job. */
export function planeSearch(
  name: string,
  parameters: EstimatorParameters,
  searchRow: (kernels: Kernels, job: number, row: number) => void,
): CpuAlgorithm<number> {
  const { width, height, metric, blockSize, candidatesPerBlock } = parameters;
  const pels = width * height;
  const blocks = pels / blockSize ** 2;
  const reach = searchReach(parameters);

  const bind = (memory: KernelMemory, kernels: Kernels): CpuSearch<number> => {
    const slots = Array.from({ length: KEPT_PICTURES }, () => memory.allocate(pels));
    const field = allocateField(memory, blocks, candidatesPerBlock);
    const start = allocateField(memory, blocks, 1);
    const job = SEARCH_JOB.allocate(memory, {
      width,
      height,
      blockSize,
      metric: metric === 'sse' ? 1 : 0,
      rangeX: reach.x,
      rangeY: reach.y,
      candidates: candidatesPerBlock,
      ...allocatePenalties(memory, parameters, reach),
      ...field,
      kept: 1,
      keptDx: start.dx,
      keptDy: start.dy,
      radius: 0,
    });
    return {
      slots,
      field,
      fill: (slot, picture) => memory.u8.set(picture.pels, slot),
      search(current, reference) {
        Object.assign(job, { current, reference });
        for (let row = 0; row < height / blockSize; row++) searchRow(kernels, job.pointer, row);
      },
    };
  };

  const memoryBytes =
    KEPT_PICTURES * (pels + ALIGNMENT_BYTES) +
    fieldBytes(blocks, candidatesPerBlock) +
    fieldBytes(blocks, 1) +
    penaltyBytes(reach) +
    SEARCH_JOB.bytes +
    ALIGNMENT_BYTES;
  return { name, exhaustive: false, memoryBytes, bind };
}
