// Chooses symbols of a macroblock together, by the bits of their own codes, too: which blocks are coded, and the DCs.
import {
  BLOCKS_PER_MACROBLOCK,
  blockBit,
  isBlockCoded,
  LUMA_BLOCKS_PER_MACROBLOCK,
} from '../bitstream/macroblock-layout.js';
import { dcBits, isLuminance } from '../bitstream/syntax/block.js';
import { codedBlockPatternBits } from '../bitstream/syntax/macroblock.js';
import { MACROBLOCK_INTRA } from '../bitstream/tables/macroblock-codes.js';
import { DC_OFFSET, DC_STEP } from '../dct/quantize.js';
import { BLOCK_BYTES } from '../kernels/records/macroblock-trial.js';
import type { MacroblockTrial } from './macroblock-trial.js';
import { MAX_DC_CHANGE } from './mode-limits.js';
import type { OpenMacroblock } from './open-macroblock.js';

/**
 * Chooses the blocks of a predicted trial that are coded, if any are, by distortion + lambda * bits with those of
 * coded_block_pattern, and sets its codedPattern, codedDistortion and codedBits, and its emptyDistortion. Of patterns
 * that cost the same, the one with the highest number is chosen.
 */
export function chooseCodedBlocks({ lambda }: OpenMacroblock, trial: MacroblockTrial): void {
  const { savedDistortion, blockBits } = trial;
  let all = 0;
  let emptyDistortion = trial.distortion;
  for (let block = 0; block < BLOCKS_PER_MACROBLOCK; block++) {
    if (blockBits[block]! > 0) all |= blockBit(block);
    if (isBlockCoded(trial.codedBlockPattern, block)) emptyDistortion += savedDistortion[block]!;
  }
  let best = { codedPattern: 0, codedDistortion: emptyDistortion, codedBits: 0 };
  let minCost = Number.POSITIVE_INFINITY;
  for (let pattern = all; pattern > 0; pattern = (pattern - 1) & all) {
    let distortion = emptyDistortion;
    let bits = codedBlockPatternBits(pattern);
    for (let block = 0; block < BLOCKS_PER_MACROBLOCK; block++) {
      if (!isBlockCoded(pattern, block)) continue;
      distortion -= savedDistortion[block]!;
      bits += blockBits[block]!;
    }
    const cost = distortion + lambda * bits;
    if (cost >= minCost) continue;
    minCost = cost;
    best = { codedPattern: pattern, codedDistortion: distortion, codedBits: bits };
  }
  Object.assign(trial, best, { emptyDistortion });
}

/** A quantized DC, and the cheapest way to come to it. */
interface DcPath {
  readonly dc: number;
  readonly cost: number;
  readonly before: DcPath | undefined;
}

/**
 * Chooses the DCs of an intra trial, at most MAX_DC_CHANGE from the nearest ones, by squared error + lambda * bits of
 * their differentials, that of the next macroblock included where it is known. Of equal costs the lowest DC is chosen.
 */
export function chooseDcs(macroblock: OpenMacroblock, trial: MacroblockTrial): void {
  const { dcY, dcCb, dcCr } = macroblock.predictors;
  chooseChain(macroblock, trial, { first: 0, count: LUMA_BLOCKS_PER_MACROBLOCK, predicted: dcY });
  chooseChain(macroblock, trial, { first: 4, count: 1, predicted: dcCb });
  chooseChain(macroblock, trial, { first: 5, count: 1, predicted: dcCr });
}

/** Blocks each of whose DCs is predicted from the one before. */
interface DcChain {
  readonly first: number;
  readonly count: number;
  readonly predicted: number;
}

function chooseChain(macroblock: OpenMacroblock, trial: MacroblockTrial, { first, count, predicted }: DcChain): void {
  const { lambda, next } = macroblock;
  const isLuma = isLuminance(first);
  let paths: readonly DcPath[] = [{ dc: predicted, cost: 0, before: undefined }];
  for (let block = first; block < first + count; block++) {
    paths = allowedDcs(trial.dc(block)).map(dc => {
      const before = cheapest(paths, path => lambda * dcBits(dc - path.dc, isLuma));
      return { dc, cost: before.cost + dcError(trial, block, dc), before: before.path };
    });
  }
  const isFollowed = next !== undefined && (next.flags & MACROBLOCK_INTRA) !== 0;
  const { path } = cheapest(paths, ({ dc }) => (isFollowed ? lambda * dcBits(next.dc(first) - dc, isLuma) : 0));
  let last = path;
  for (let block = first + count - 1; block >= first; block--) {
    setDc(trial, block, last.dc);
    last = last.before!;
  }
}

/** The path that is cheapest with what is added to its cost. */
function cheapest(paths: readonly DcPath[], added: (path: DcPath) => number): { path: DcPath; cost: number } {
  let best = { path: paths[0]!, cost: Number.POSITIVE_INFINITY };
  for (const path of paths) {
    const cost = path.cost + added(path);
    if (cost < best.cost) best = { path, cost };
  }
  return best;
}

/** The DCs that may take the place of the nearest one, ascending. A black block keeps its 0, and no other gets it. */
function allowedDcs(nearest: number): number[] {
  if (nearest === 0) return [0];
  const allowed: number[] = [];
  for (let dc = Math.max(1, nearest - MAX_DC_CHANGE); dc <= Math.min(255, nearest + MAX_DC_CHANGE); dc++) {
    allowed.push(dc);
  }
  return allowed;
}

/** Squared error of a DC in coefficients. */
function dcError({ coefficients }: MacroblockTrial, block: number, dc: number): number {
  const error = coefficients[(block * BLOCK_BYTES) / 2]! + DC_OFFSET - dc * DC_STEP;
  return error * error;
}

/** Puts another DC into the place of a block's. */
function setDc(trial: MacroblockTrial, block: number, dc: number): void {
  const before = trial.dc(block);
  const first = (block * BLOCK_BYTES) / 2;
  trial.distortion += dcError(trial, block, dc) - dcError(trial, block, before);
  trial.levels[first] = dc;
  trial.reconstruction[first] = 8 * dc;
  trial.magnitude[block]! += 8 * (dc - before);
}
