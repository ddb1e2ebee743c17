// Writes the blocks of a macroblock.
import { MacroblockCoding, MacroblockTrial, SliceWriting } from '../../generated/records';
import {
  BLOCKS_PER_MACROBLOCK,
  BLOCK_BYTES,
  COEFFICIENT_ESCAPE as ESCAPE,
  COEFFICIENT_ESCAPE_BITS as ESCAPE_BITS,
  END_OF_BLOCK,
  END_OF_BLOCK_BITS,
  FIRST_ZERO_RUN_ONE,
  FIRST_ZERO_RUN_ONE_BITS,
  MACROBLOCK_INTRA,
  MACROBLOCK_PATTERN,
  RUN_LEVEL_TABLE_STRIDE,
} from '../../generated/tables';
import { placeOf } from '../../dct/scan';
import { bigEndian, flushBytes, goOn, pending, pendingBits, put, putEntry, to } from './bit-sink';

/** Bits of the run in an escape; ISO/IEC 11172-2 Table B.5d. */
const RUN_BITS: u32 = 6;
/** The code of a first level of 1 without its sign, as an entry of the table of codes: its length, then its bits. */
const FIRST_CODE: u32 = ((FIRST_ZERO_RUN_ONE_BITS + 1) << 24) | (FIRST_ZERO_RUN_ONE << 1);

/**
 * The run/level pairs of the levels whose scan positions are marked in `mask`, runs counted from scan position `first`,
 * and end_of_block; ISO/IEC 11172-2 §2.4.2.8. The levels lie in the order of the scan, or else column by column.
 */
export function putPairs(runLevels: usize, levels: usize, isScanned: bool, first: i32, mask: u64): void {
  // In locals: the globals are in memory, and each code would wait for the one before.
  let at = to;
  let bits = pending;
  let count = pendingBits;
  let next = first;
  while (mask != 0) {
    const position = <i32>ctz(mask);
    mask &= mask - 1;
    const level = <i32>load<i16>(levels + ((isScanned ? <usize>position : placeOf(position)) << 1));
    const magnitude = abs<i32>(level);
    const sign = <u32>level >>> 31;
    const run = position - next;
    next = position + 1;
    const isShort = magnitude < RUN_LEVEL_TABLE_STRIDE;
    let code = isShort ? load<u32>(runLevels + (<usize>(run * RUN_LEVEL_TABLE_STRIDE + magnitude) << 2)) : 0;
    if (position == 0 && magnitude == 1) code = FIRST_CODE; // dct_coeff_first
    if (code != 0) {
      const length = code >>> 24;
      bits = (bits << <u64>length) | <u64>((code & 0xffffff) | sign); // dct_coeff_next
      count += length;
    } else {
      bits = (bits << (ESCAPE_BITS + RUN_BITS)) | <u64>((ESCAPE << RUN_BITS) | <u32>run);
      const length: u32 = isShort ? 8 : 16;
      bits = (bits << <u64>length) | <u64>(isShort ? <u32>level & 0xff : (sign << 15) | (<u32>level & 0xff));
      count += ESCAPE_BITS + RUN_BITS + length; // 28 bits at most, after at most 31
    }
    if (count >= 32) {
      count -= 32;
      store<u32>(at, bigEndian(<u32>(bits >> <u64>count)));
      at += 4;
    }
  }
  goOn(at, bits, count);
  put(END_OF_BLOCK, END_OF_BLOCK_BITS);
}

/** One bit for each of 16 levels that is not zero. */
// @ts-ignore: decorator
@inline
function nonZero(at: usize): u64 {
  const zero = i16x8.splat(0);
  const low = i16x8.ne(v128.load(at), zero);
  const high = i16x8.ne(v128.load(at, 16), zero);
  return <u64>i8x16.bitmask(i8x16.narrow_i16x8_s(low, high));
}

/** The pairs of levels in the order of the scan, from scan position `first` on. */
export function putCoefficients(runLevels: usize, levels: usize, first: i32): void {
  let mask = nonZero(levels) | (nonZero(levels + 32) << 16) | (nonZero(levels + 64) << 32) | (nonZero(levels + 96) << 48);
  if (first != 0) mask &= ~1;
  putPairs(runLevels, levels, true, first, mask);
}

/** dct_dc_size and dct_dc_differential of an intra block. At `levels` begin the blocks of the macroblock. */
export function putDc(coding: MacroblockCoding, levels: usize, block: i32): void {
  const predictors = coding.predictors;
  const at = levels + <usize>(block * BLOCK_BYTES);
  let predicted = block == 4 ? predictors.dcCb : predictors.dcCr;
  if (block < 4) predicted = block == 0 ? predictors.dcY : <i32>load<i16>(at - BLOCK_BYTES);
  const differential = <i32>load<i16>(at) - predicted;
  const size = 32 - <u32>clz(<u32>abs<i32>(differential));
  putEntry(block < 4 ? coding.codes.dcLuma : coding.codes.dcChroma, <i32>size);
  if (size != 0) put(<u32>(differential > 0 ? differential : differential + (1 << size) - 1), size);
}

/** Starts the blocks of the next macroblock, which `endBlocks` ends. */
// @ts-ignore: decorator
@inline
export function startBlocks(writing: SliceWriting): void {
  goOn(writing.blocksEnd, 0, 0);
}

/** Ends the blocks of the macroblock at `address`. */
// @ts-ignore: decorator
@inline
export function endBlocks(writing: SliceWriting, address: usize): void {
  const bits = ((to - writing.blocksEnd) << 3) + pendingBits;
  store<u16>(writing.blockBits + (address << 1), <u16>bits);
  put(0, -pendingBits & 7);
  flushBytes();
  writing.blocksEnd = to;
}

export function writeBlocks(coding: MacroblockCoding, trial: MacroblockTrial, address: i32): void {
  const writing = coding.writing;
  const runLevels = coding.codes.runLevels;
  const isIntra = (trial.flags & MACROBLOCK_INTRA) != 0;
  const pattern = trial.flags & (MACROBLOCK_INTRA | MACROBLOCK_PATTERN) ? trial.codedBlockPattern : 0;
  startBlocks(writing);
  for (let block = 0; block < BLOCKS_PER_MACROBLOCK; block++) {
    if ((pattern & (32 >> block)) == 0) continue;
    if (isIntra) putDc(coding, trial.levels, block);
    putCoefficients(runLevels, trial.levels + <usize>(block * BLOCK_BYTES), <i32>isIntra);
  }
  endBlocks(writing, <usize>address);
}
