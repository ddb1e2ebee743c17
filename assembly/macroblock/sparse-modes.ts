// Decides macroblocks for the fewest bits; see src/macroblock.
import {
  BLOCKS_PER_MACROBLOCK,
  BLOCK_BYTES,
  MACROBLOCK_INTRA,
  MACROBLOCK_MOTION_FORWARD,
  SPARSE_INTRA_BITS,
  SPARSE_ZERO_VECTOR_BITS,
} from '../generated/tables';
import { transformMacroblock } from '../dct/transform-macroblock';
import { intraDcBits } from './header-bits';
import { best, coding, isB, isP, maySkip, mbX, mbY, mustBeIntra, predictors, setMotion, wantedScale } from './open-macroblock';
import { predict, quantize } from './trial-coder';

/** Intra, with DC coefficients alone. */
function chooseIntraDc(): void {
  setMotion(best, 0, 0, 0, 0, 0);
  best.flags = MACROBLOCK_INTRA;
  transformMacroblock(best, coding.source, mbX, mbY, true);
  quantize(best, wantedScale, true, 0, false);
  for (let block = 0; block < BLOCKS_PER_MACROBLOCK; block++) {
    const at = <usize>(block * BLOCK_BYTES);
    memory.fill(best.levels + at + 2, 0, BLOCK_BYTES - 2);
    memory.fill(best.reconstruction + at + 2, 0, BLOCK_BYTES - 2);
    const end = best.levelEnd + <usize>block;
    store<u8>(end, min<u8>(1, load<u8>(end)));
    store<i32>(best.magnitude + (<usize>block << 2), <i32>load<i16>(best.reconstruction + at));
  }
  best.bits = SPARSE_INTRA_BITS + intraDcBits(best.levels, BLOCK_BYTES, predictors.dcY, predictors.dcCb, predictors.dcCr);
}

/** A copy of the past anchor. */
function chooseCopy(): void {
  setMotion(best, MACROBLOCK_MOTION_FORWARD, 0, 0, 0, 0);
  best.quantizerScale = wantedScale;
  predict(best);
  const continues =
    predictors.direction == MACROBLOCK_MOTION_FORWARD &&
    (predictors.forwardDxHalfPels | predictors.forwardDyHalfPels) == 0;
  const isSkipped = maySkip && (isP || continues);
  best.flags = isSkipped ? 0 : MACROBLOCK_MOTION_FORWARD;
  best.codedBlockPattern = 0;
  best.bits = isSkipped ? 0 : SPARSE_ZERO_VECTOR_BITS;
}

/** Leaves the mode in the best trial. */
export function chooseSparseMode(): void {
  if (mustBeIntra || !(isP || isB)) chooseIntraDc();
  else chooseCopy();
}
