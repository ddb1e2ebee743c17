// Tells which macroblocks are worth trying as intra.
import { MACROBLOCK_SIZE } from '../picture/picture.js';
import { DEVIATION_FACTOR, REFINED_DEVIATION_FACTOR } from './mode-limits.js';
import type { OpenMacroblock } from './open-macroblock.js';

/** Luma pels of a macroblock: the error of quantization is taken for one quantizer_scale a pel. */
const LUMA_PELS = MACROBLOCK_SIZE * MACROBLOCK_SIZE;

/** Whether intra may be cheaper than the best prediction, whose SAD is given. */
export function mayPayAsIntra(macroblock: OpenMacroblock, sad: number): boolean {
  const factor = macroblock.coding.fullRefinementRounds > 0 ? REFINED_DEVIATION_FACTOR : DEVIATION_FACTOR;
  return macroblock.sourceDeviation() * factor < sad + LUMA_PELS * macroblock.wantedScale;
}
