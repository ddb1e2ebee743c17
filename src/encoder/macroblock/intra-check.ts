// Tells which macroblocks are worth trying as intra.

import { MACROBLOCK_SIZE } from '../../picture/picture.js';
import type { Workspace } from '../picture/workspace.js';
import type { MacroblockJob, MacroblockPosition } from './macroblock-job.js';

/**
 * Intra is tried unless the SAD of the best prediction is below this times the deviation of the macroblock. Not
 * measured.
 */
const DEVIATION_FACTOR = 1.3;
/**
 * Fewest bits of an intra macroblock: increment 1, type 1, six DC sizes of 2 or 3 bits, six end_of_block, rounded down.
 */
export const MIN_INTRA_BITS = 24;
/** Luma pels of a macroblock: the error of quantization is taken for one quantizer_scale a pel. */
const LUMA_PELS = MACROBLOCK_SIZE * MACROBLOCK_SIZE;

/** Sum of |pel - mean| of a source macroblock's luma. */
export function sourceDeviation({ kernels, source }: Workspace, { mbX, mbY }: MacroblockPosition): number {
  const pels = source.y + (mbY * source.lumaStride + mbX) * MACROBLOCK_SIZE;
  return kernels.deviation16x16(pels, source.lumaStride);
}

/** Whether intra may be cheaper than the best prediction, whose SAD is given. */
export function mayPayAsIntra(workspace: Workspace, { at, quantizerScale }: MacroblockJob, sad: number): boolean {
  return sourceDeviation(workspace, at) * DEVIATION_FACTOR < sad + LUMA_PELS * quantizerScale;
}

/**
 * Whether intra may be cheaper than the best mode so far, whose bits are given, with the `sad` of the best prediction.
 */
export function isWorthTryingIntra(workspace: Workspace, job: MacroblockJob, sad: number, bits: number): boolean {
  return bits > MIN_INTRA_BITS && mayPayAsIntra(workspace, job, sad);
}
