// Writes the blocks of a row of macroblocks.
import { MacroblockCodes, SliceWriting } from '../../generated/records';
import {
  BLOCK_BYTES,
  COEFFICIENT_ESCAPE as ESCAPE,
  COEFFICIENT_ESCAPE_BITS as ESCAPE_BITS,
  DC_RESET,
  END_OF_BLOCK,
  END_OF_BLOCK_BITS,
  FIRST_ZERO_RUN_ONE,
  FIRST_ZERO_RUN_ONE_BITS,
  MACROBLOCK_INTRA,
  MACROBLOCK_PATTERN,
  RUN_LEVEL_TABLE_STRIDE,
} from '../../generated/tables';
import { flushBytes, goOn, pending, pendingBits, put, putEntry, to } from './bit-sink';

/** Bits of the run in an escape; ISO/IEC 11172-2 Table B.5d. */
const RUN_BITS: u32 = 6;
/** The code of a first level of 1 without its sign, as an entry of the table of codes: its length, then its bits. */
const FIRST_CODE: u32 = ((FIRST_ZERO_RUN_ONE_BITS + 1) << 24) | (FIRST_ZERO_RUN_ONE << 1);
/** Bytes of the levels of a block. */
const BLOCK: usize = BLOCK_BYTES;

/** One bit for each of 16 levels that is not zero. */
// @ts-ignore: decorator
@inline
function nonZero(at: usize): u64 {
  const zero = i16x8.splat(0);
  const low = i16x8.ne(v128.load(at), zero);
  const high = i16x8.ne(v128.load(at, 16), zero);
  return <u64>i8x16.bitmask(i8x16.narrow_i16x8_s(low, high));
}

/** Run/level pairs from scan position `first` on, and end_of_block; ISO/IEC 11172-2 §2.4.2.8. */
function putCoefficients(runLevels: usize, levels: usize, first: i32): void {
  let mask = nonZero(levels) | (nonZero(levels + 32) << 16) | (nonZero(levels + 64) << 32) | (nonZero(levels + 96) << 48);
  if (first != 0) mask &= ~1;
  // In locals: the globals are in memory, and each code would wait for the one before.
  let at = to;
  let bits = pending;
  let count = pendingBits;
  let next = first;
  while (mask != 0) {
    const position = <i32>ctz(mask);
    mask &= mask - 1;
    const level = <i32>load<i16>(levels + (<usize>position << 1));
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
      store<u32>(at, bswap<u32>(<u32>(bits >> <u64>count)));
      at += 4;
    }
  }
  goOn(at, bits, count);
  put(END_OF_BLOCK, END_OF_BLOCK_BITS);
}

/** dct_dc_size and dct_dc_differential. */
// @ts-ignore: decorator
@inline
function putDc(table: usize, differential: i32): void {
  const size = 32 - <u32>clz(<u32>abs<i32>(differential));
  putEntry(table, <i32>size);
  if (size != 0) put(<u32>(differential > 0 ? differential : differential + (1 << size) - 1), size);
}

function putIntraBlocks(writing: SliceWriting, codes: MacroblockCodes, levels: usize): void {
  const runLevels = codes.runLevels;
  let dc = writing.dcY;
  for (let block: usize = 0; block < 4; block++) {
    const at = levels + block * BLOCK;
    const next = <i32>load<i16>(at);
    putDc(codes.dcLuma, next - dc);
    dc = next;
    putCoefficients(runLevels, at, 1);
  }
  putDc(codes.dcChroma, <i32>load<i16>(levels + 4 * BLOCK) - writing.dcCb);
  putCoefficients(runLevels, levels + 4 * BLOCK, 1);
  putDc(codes.dcChroma, <i32>load<i16>(levels + 5 * BLOCK) - writing.dcCr);
  putCoefficients(runLevels, levels + 5 * BLOCK, 1);
  writing.dcY = dc;
  writing.dcCb = <i32>load<i16>(levels + 4 * BLOCK);
  writing.dcCr = <i32>load<i16>(levels + 5 * BLOCK);
}

// @ts-ignore: decorator
@inline
function resetDc(writing: SliceWriting): void {
  writing.dcY = DC_RESET;
  writing.dcCb = DC_RESET;
  writing.dcCr = DC_RESET;
}

/** The coded blocks of a macroblock that is not intra. */
function putBlocks(runLevels: usize, levels: usize, pattern: i32): void {
  for (let block: i32 = 0; block < 6; block++) {
    if (pattern & (32 >> block)) putCoefficients(runLevels, levels + <usize>block * BLOCK, 0);
  }
}

export function writeBlocks(writing: SliceWriting, first: i32, count: i32): i32 {
  const symbols = writing.symbols;
  const codes = writing.codes;
  const start = writing.blocks;
  goOn(start, 0, 0);
  for (let mbX = 0; mbX < count; mbX++) {
    const address = <usize>(first + mbX);
    const flags = <i32>load<u8>(symbols.flags + address);
    const levels = symbols.levels + <usize>mbX * 6 * BLOCK;
    const before = to;
    if (flags & MACROBLOCK_INTRA) putIntraBlocks(writing, codes, levels);
    else {
      if (flags & MACROBLOCK_PATTERN) {
        putBlocks(codes.runLevels, levels, <i32>load<u8>(symbols.codedBlockPattern + address));
      }
      resetDc(writing);
    }
    store<u16>(writing.blockBits + (address << 1), <u16>(((to - before) << 3) + pendingBits));
    put(0, -pendingBits & 7);
    flushBytes();
  }
  return <i32>(to - start);
}
