// Chooses symbols of a macroblock together, by the bits of their own codes, too; see src/macroblock.
import { MacroblockTrial } from '../generated/records';
import { BLOCKS_PER_MACROBLOCK, BLOCK_BYTES, DC_OFFSET, DC_STEP, MAX_DC_CHANGE } from '../generated/tables';
import { scratch } from '../scratch';
import { dcBits, patternBits } from './header-bits';
import { isNextIntra, nextDcs } from './known-macroblock';
import { coding, lambda, predictors } from './open-macroblock';

/** Chooses the blocks of a predicted trial that are coded. */
export function chooseCodedBlocks(trial: MacroblockTrial): void {
  const saved = trial.savedDistortion;
  const blockBits = trial.blockBits;
  const before = trial.codedBlockPattern;
  let all = 0;
  let emptyDistortion = trial.distortion;
  for (let block = 0; block < BLOCKS_PER_MACROBLOCK; block++) {
    const at = <usize>block << 2;
    if (load<i32>(blockBits + at) > 0) all |= 32 >> block;
    if (before & (32 >> block)) emptyDistortion += <f64>load<i32>(saved + at);
  }
  let best = 0;
  let bestDistortion = emptyDistortion;
  let bestBits = 0;
  let minCost = Infinity;
  for (let pattern = all; pattern > 0; pattern = (pattern - 1) & all) {
    let distortion = emptyDistortion;
    let bits = 0;
    for (let block = 0; block < BLOCKS_PER_MACROBLOCK; block++) {
      if ((pattern & (32 >> block)) == 0) continue;
      const at = <usize>block << 2;
      distortion -= <f64>load<i32>(saved + at);
      bits += load<i32>(blockBits + at);
    }
    bits += patternBits(pattern);
    const cost = distortion + lambda * <f64>bits;
    if (cost >= minCost) continue;
    minCost = cost;
    best = pattern;
    bestDistortion = distortion;
    bestBits = bits;
  }
  trial.emptyDistortion = emptyDistortion;
  trial.codedPattern = best;
  trial.codedDistortion = bestDistortion;
  trial.codedBits = bestBits;
}

/** The most DCs that a block may take. */
const DCS = 2 * MAX_DC_CHANGE + 1;
/**
 * The paths to the DCs of up to four blocks, after those to the one predicted: for each block the first DC, how many
 * there are, the cost of each, and the one before each by its number.
 */
const PATHS_BYTES = 8 + 16 * DCS;
const PATH_COSTS = 8;
const PATHS_BEFORE = 8 + 8 * DCS;
const paths: usize = scratch(5 * PATHS_BYTES);

// @ts-ignore: decorator
@inline
function pathsOf(index: i32): usize {
  return paths + <usize>(index * PATHS_BYTES);
}

/** Squared error of a DC in coefficients. */
// @ts-ignore: decorator
@inline
function dcError(trial: MacroblockTrial, block: i32, dc: i32): f64 {
  const error = <i32>load<i16>(trial.coefficients + <usize>(block * BLOCK_BYTES)) + DC_OFFSET - dc * DC_STEP;
  return <f64>(error * error);
}

/** The cost of the cheapest path to a block's DCs that goes on to another DC, and its number. */
let leastCost: f64 = 0;
let cheapest: i32 = 0;

function findCheapest(from: usize, table: usize, dc: i32, isFollowed: bool): void {
  const first = load<i32>(from);
  const count = load<i32>(from, 4);
  leastCost = Infinity;
  cheapest = 0;
  for (let i = 0; i < count; i++) {
    const added = isFollowed ? lambda * <f64>dcBits(table, dc - first - i) : 0;
    const cost = load<f64>(from + (<usize>i << 3), PATH_COSTS) + added;
    if (cost >= leastCost) continue;
    leastCost = cost;
    cheapest = i;
  }
}

/** Chooses the DCs of blocks each of which is predicted from the one before. */
function chooseChain(trial: MacroblockTrial, block: i32, count: i32, predicted: i32, table: usize): void {
  store<i32>(pathsOf(0), predicted);
  store<i32>(pathsOf(0), 1, 4);
  store<f64>(pathsOf(0), 0, PATH_COSTS);
  for (let i = 1; i <= count; i++) {
    const here = block + i - 1;
    const nearest = <i32>load<i16>(trial.levels + <usize>(here * BLOCK_BYTES));
    const first = nearest == 0 ? 0 : max(1, nearest - MAX_DC_CHANGE);
    const last = nearest == 0 ? 0 : min(255, nearest + MAX_DC_CHANGE);
    const at = pathsOf(i);
    store<i32>(at, first);
    store<i32>(at, last - first + 1, 4);
    for (let dc = first; dc <= last; dc++) {
      findCheapest(pathsOf(i - 1), table, dc, true);
      const item = <usize>(dc - first);
      store<f64>(at + (item << 3), leastCost + dcError(trial, here, dc), PATH_COSTS);
      store<i32>(at + (item << 2), cheapest, PATHS_BEFORE);
    }
  }
  const isFollowed = isNextIntra();
  const nextDc = isFollowed ? <i32>load<i16>(nextDcs() + (<usize>block << 1)) : 0;
  findCheapest(pathsOf(count), table, nextDc, isFollowed);
  let number = cheapest;
  for (let i = count; i > 0; i--) {
    const at = pathsOf(i);
    setDc(trial, block + i - 1, load<i32>(at) + number);
    number = load<i32>(at + (<usize>number << 2), PATHS_BEFORE);
  }
}

/** Puts another DC into the place of a block's. */
function setDc(trial: MacroblockTrial, block: i32, dc: i32): void {
  const at = <usize>(block * BLOCK_BYTES);
  const before = <i32>load<i16>(trial.levels + at);
  trial.distortion += dcError(trial, block, dc) - dcError(trial, block, before);
  store<i16>(trial.levels + at, <i16>dc);
  store<i16>(trial.reconstruction + at, <i16>(8 * dc));
  const magnitude = trial.magnitude + (<usize>block << 2);
  store<i32>(magnitude, load<i32>(magnitude) + 8 * (dc - before));
}

/** Chooses the DCs of an intra trial. */
export function chooseDcs(trial: MacroblockTrial): void {
  chooseChain(trial, 0, 4, predictors.dcY, coding.codes.dcLuma);
  chooseChain(trial, 4, 1, predictors.dcCb, coding.codes.dcChroma);
  chooseChain(trial, 5, 1, predictors.dcCr, coding.codes.dcChroma);
}
