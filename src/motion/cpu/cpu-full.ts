import type { KernelMemory } from '../../kernels/kernel-memory.js';
import type { Kernels } from '../../kernels/kernels.js';
import { SEARCH_JOB } from '../../kernels/records/search-job.js';
import { searchReach } from '../cost.js';
import type { EstimatorParameters, MotionEstimator } from '../estimator.js';
import {
  type CpuAlgorithm,
  type CpuEstimatorOptions,
  type CpuSearch,
  createCpuEstimator,
  KEPT_PICTURES,
} from './cpu-estimator.js';
import { ALIGNMENT_BYTES, allocateField, allocatePenalties, fieldBytes, penaltyBytes } from './search-memory.js';

/** Options of `cpu-full`. */
export interface CpuFullOptions extends CpuEstimatorOptions {
  /** False: every vector is compared in full, for measuring. The answer is the same. */
  readonly elimination?: boolean;
}

/** `cpu-full`: every vector of the range; what it answers is what `exhaustive` means. */
export function createCpuFull(parameters: EstimatorParameters, options: CpuFullOptions = {}): Promise<MotionEstimator> {
  return createCpuEstimator(parameters, options, () => fullSearch(parameters, options.elimination ?? true));
}

/** A picture and the sums of all its blocks, which are made when it is first searched. */
interface SummedPicture {
  readonly plane: number;
  readonly sums4: number;
  readonly sums8: number;
  readonly sums16: number;
  summed: boolean;
}

/** Bytes of a slot per pel: the pel and its three block sums. */
const SLOT_BYTES_PER_PEL = 1 + 3 * 2;

function fullSearch(parameters: EstimatorParameters, elimination: boolean): CpuAlgorithm<SummedPicture> {
  const { width, height, metric, blockSize, candidatesPerBlock } = parameters;
  const pels = width * height;
  const blocks = pels / blockSize ** 2;
  const reach = searchReach(parameters);

  const bind = (memory: KernelMemory, kernels: Kernels): CpuSearch<SummedPicture> => {
    const slots = Array.from({ length: KEPT_PICTURES }, () => ({
      plane: memory.allocate(pels),
      sums4: memory.allocate(2 * pels),
      sums8: memory.allocate(2 * pels),
      sums16: memory.allocate(2 * pels),
      summed: false,
    }));
    const field = allocateField(memory, blocks, candidatesPerBlock);
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
    });
    return {
      slots,
      field,
      fill(slot, picture) {
        memory.u8.set(picture.pels, slot.plane);
        slot.summed = false;
      },
      search(current, reference) {
        const { plane, sums4, sums8, sums16 } = reference;
        if (!reference.summed) kernels.blockSums(sums4, sums8, sums16, plane, width, height);
        reference.summed = true;
        Object.assign(job, { current: current.plane, reference: plane, sums4, sums8, sums16 });
        for (let row = 0; row < height / blockSize; row++) {
          if (elimination) kernels.searchByElimination(job.pointer, row);
          else kernels.searchExhaustively(job.pointer, row);
        }
      },
    };
  };

  const slotBytes = SLOT_BYTES_PER_PEL * pels + 4 * ALIGNMENT_BYTES;
  const memoryBytes =
    KEPT_PICTURES * slotBytes +
    fieldBytes(blocks, candidatesPerBlock) +
    penaltyBytes(reach) +
    SEARCH_JOB.bytes +
    ALIGNMENT_BYTES;
  return { name: 'cpu-full', exhaustive: true, memoryBytes, bind };
}
