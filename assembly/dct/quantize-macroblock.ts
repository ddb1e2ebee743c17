// Quantization of the six blocks of a macroblock, and the choice of the blocks that are coded.
import { MacroblockTrial, Quantizer } from '../generated/records';
import { BLOCKS_PER_MACROBLOCK, BLOCK_BYTES } from '../generated/tables';
import { blockCost, quantizeBlock } from './quantize';
import { quantizeBlockByTrellis } from './trellis';

/** Sums over the blocks of the macroblock so far. */
let distortion: f64 = 0;
let bits: i32 = 0;
let pattern: i32 = 0;

// @ts-ignore: decorator
@inline
function clearSums(): void {
  distortion = 0;
  bits = 0;
  pattern = 0;
}

/** Adds the block quantized last to the sums: as it is, or left out if that is better. */
// @ts-ignore: decorator
@inline
function addBlock(trial: MacroblockTrial, block: i32, end: i32, intra: bool, lambda: f64): void {
  store<u8>(trial.levelEnd + <usize>block, <u8>end);
  const at = <usize>block << 2;
  store<i32>(trial.magnitude + at, blockCost.magnitude);
  store<i32>(trial.savedDistortion + at, blockCost.energy - blockCost.distortion);
  store<i32>(trial.blockBits + at, blockCost.bits);
  if (intra || <f64>blockCost.distortion + lambda * <f64>blockCost.bits < <f64>blockCost.energy) {
    pattern |= 32 >> block;
    bits += blockCost.bits;
    distortion += <f64>blockCost.distortion;
  } else distortion += <f64>blockCost.energy;
}

// @ts-ignore: decorator
@inline
function storeSums(trial: MacroblockTrial): void {
  trial.distortion = distortion;
  trial.bits = bits;
  trial.codedBlockPattern = pattern;
}

export function quantizeMacroblock(
  trial: MacroblockTrial,
  quantizer: Quantizer,
  lengths: usize,
  intra: bool,
  lambda: f64,
): void {
  clearSums();
  for (let block = 0; block < BLOCKS_PER_MACROBLOCK; block++) {
    const at = <usize>(block * BLOCK_BYTES);
    const end = quantizeBlock(
      trial.levels + at,
      trial.reconstruction + at,
      trial.coefficients + at,
      quantizer,
      lengths,
      intra,
    );
    addBlock(trial, block, end, intra, lambda);
  }
  storeSums(trial);
}

export function quantizeMacroblockByTrellis(
  trial: MacroblockTrial,
  quantizer: Quantizer,
  lengths: usize,
  intra: bool,
  lambda: f64,
): void {
  const wholeLambda = <i32>Math.floor(lambda + 0.5);
  clearSums();
  for (let block = 0; block < BLOCKS_PER_MACROBLOCK; block++) {
    const at = <usize>(block * BLOCK_BYTES);
    const end = quantizeBlockByTrellis(
      trial.levels + at,
      trial.reconstruction + at,
      trial.coefficients + at,
      quantizer,
      lengths,
      intra,
      wholeLambda,
    );
    addBlock(trial, block, end, intra, lambda);
  }
  storeSums(trial);
}
