// The memory of what codes macroblocks and rows of them: two trials, the predictors, and where all else lies.
import { ALIGNMENT_BYTES, type KernelMemory } from '../../kernels/kernel-memory.js';
import {
  MACROBLOCK_CODING,
  type MacroblockCoding,
  NEAREST_QUANTIZERS,
  PLAIN_QUANTIZERS,
  QUANTIZERS_OF_A_KIND,
} from '../../kernels/records/macroblock-coding.js';
import { MACROBLOCK_TRIAL } from '../../kernels/records/macroblock-trial.js';
import { ANCHOR_ROWS, type AnchorRows, ROW_CODING, type RowCoding } from '../../kernels/records/row-coding.js';
import { SLICE_PREDICTORS } from '../../kernels/records/slice-predictors.js';
import type { MacroblockGrid } from '../../picture/picture.js';
import type { QuantizerPointers } from '../quantizer/quantizer-set.js';

/** The bytes of kernel memory that `allocateCoding` takes. */
export const CODING_BYTES =
  MACROBLOCK_CODING.bytes + 2 * MACROBLOCK_TRIAL.bytes + SLICE_PREDICTORS.bytes + 4 * ALIGNMENT_BYTES;

/** What a MACROBLOCK_CODING points to outside its own memory, and the width of the picture. */
type CodingPlaces = Pick<
  MacroblockCoding,
  | 'forward'
  | 'backward'
  | 'joint'
  | 'scratch'
  | 'source'
  | 'symbols'
  | 'codes'
  | 'writing'
  | 'choices'
  | 'choicesStep'
  | 'lengths'
  | 'mbWidth'
>;

/** Takes room for what codes macroblocks. What depends on the picture and its tools is set for each picture. */
export function allocateCoding(
  memory: KernelMemory,
  places: CodingPlaces,
  quantizers: QuantizerPointers,
): MacroblockCoding {
  const coding = MACROBLOCK_CODING.allocate(memory, {
    ...places,
    trial: memory.allocate(MACROBLOCK_TRIAL.bytes),
    otherTrial: memory.allocate(MACROBLOCK_TRIAL.bytes),
    predictors: SLICE_PREDICTORS.allocate(memory).pointer,
  });
  for (const [first, kinds] of [
    [PLAIN_QUANTIZERS, quantizers.plain],
    [NEAREST_QUANTIZERS, quantizers.nearest],
  ] as const) {
    for (const intra of [0, 1] as const) coding.quantizers.set(kinds[intra], (first + intra) * QUANTIZERS_OF_A_KIND);
  }
  return coding;
}

/** The memory of what codes rows. */
export interface RowMemory {
  readonly coding: RowCoding;
  readonly past: AnchorRows;
  readonly future: AnchorRows;
  /** Pointers to room for the factors of a picture's macroblocks, a float64 each. */
  readonly scaleFactors: number;
  readonly lambdaFactors: number;
}

/** The bytes of kernel memory that `allocateRows` takes. */
export function rowMemoryBytes({ mbWidth, mbHeight }: MacroblockGrid): number {
  return ROW_CODING.bytes + 2 * ANCHOR_ROWS.bytes + 16 * mbWidth * mbHeight + 5 * ALIGNMENT_BYTES;
}

/** Takes room for what codes rows; `coding` codes their macroblocks. */
export function allocateRows(memory: KernelMemory, grid: MacroblockGrid, coding: MacroblockCoding): RowMemory {
  const { mbWidth, mbHeight } = grid;
  const past = ANCHOR_ROWS.allocate(memory);
  const future = ANCHOR_ROWS.allocate(memory);
  return {
    coding: ROW_CODING.allocate(memory, {
      coding: coding.pointer,
      pastRows: past.pointer,
      futureRows: future.pointer,
      mbHeight,
    }),
    past,
    future,
    scaleFactors: memory.allocate(8 * mbWidth * mbHeight),
    lambdaFactors: memory.allocate(8 * mbWidth * mbHeight),
  };
}
