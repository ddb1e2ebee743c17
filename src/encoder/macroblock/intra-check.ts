import type { Workspace } from '../picture/workspace.js';
import type { MacroblockPosition } from './prediction.js';
import type { MacroblockQuestion } from './trial-coder.js';

/** A macroblock is looked at as intra unless its prediction leaves less than this part of its own deviation. */
const DEVIATION_FACTOR = 1.3;
/** What an intra macroblock costs at the least, in bits: nothing cheaper need be compared with it. */
const MIN_INTRA_BITS = 24;

/** Sum of |pel - mean| of a source macroblock's luma. */
export function sourceDeviation({ kernels, source }: Workspace, { mbX, mbY }: MacroblockPosition): number {
  return kernels.deviation16x16(source.y + mbY * 16 * source.lumaStride + mbX * 16, source.lumaStride);
}

/** Whether a macroblock whose best prediction has this SAD and these bits may be cheaper without one. */
export function isWorthTryingIntra(
  workspace: Workspace,
  { at, quantizerScale }: MacroblockQuestion,
  sad: number,
  bits: number,
): boolean {
  if (bits <= MIN_INTRA_BITS) return false;
  return sourceDeviation(workspace, at) * DEVIATION_FACTOR < sad + 256 * quantizerScale;
}
