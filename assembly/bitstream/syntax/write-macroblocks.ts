// Writes the macroblocks of a slice.
import { MacroblockCodes, SliceWriting, SymbolArrays } from '../../generated/records';
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
  MACROBLOCK_MOTION_BACKWARD,
  MACROBLOCK_MOTION_FORWARD,
  MACROBLOCK_PATTERN,
  MACROBLOCK_QUANT,
  MACROBLOCK_STUFFING,
  MACROBLOCK_STUFFING_BITS,
  QUANTIZER_SCALE_BITS,
  RUN_LEVEL_TABLE_STRIDE,
} from '../../generated/tables';

/** Bits of the run in an escape; ISO/IEC 11172-2 Table B.5d. */
const RUN_BITS: u32 = 6;
/** The code of a first level of 1 without its sign, as an entry of the table of codes: its length, then its bits. */
const FIRST_CODE: u32 = ((FIRST_ZERO_RUN_ONE_BITS + 1) << 24) | (FIRST_ZERO_RUN_ONE << 1);
/** Bytes of the levels of a block. */
const BLOCK: usize = BLOCK_BYTES;
/** The largest macroblock_address_increment with a code of its own. */
const MAX_INCREMENT: i32 = 33;

/** Where the next bytes go, and the bits before them: the low `pendingBits` of `pending`, less than 32. */
let to: usize = 0;
let pending: u64 = 0;
let pendingBits: u32 = 0;

/** Appends a code of at most 32 bits. */
// @ts-ignore: decorator
@inline
function put(code: u32, length: u32): void {
  pending = (pending << <u64>length) | <u64>code;
  pendingBits += length;
  if (pendingBits >= 32) {
    pendingBits -= 32;
    store<u32>(to, bswap<u32>(<u32>(pending >> <u64>pendingBits)));
    to += 4;
  }
}

/** Appends entry `index` of a table of codes. */
// @ts-ignore: decorator
@inline
function putEntry(table: usize, index: i32): void {
  const code = load<u32>(table + (<usize>index << 2));
  put(code & 0xffffff, code >>> 24);
}

/** Stores the whole bytes of what is pending; 0 to 7 bits stay. */
function flushBytes(): void {
  while (pendingBits >= 8) {
    pendingBits -= 8;
    store<u8>(to++, <u8>(pending >> <u64>pendingBits));
  }
  pending &= (<u64>1 << <u64>pendingBits) - 1;
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
      count += ESCAPE_BITS + RUN_BITS;
      if (count >= 32) {
        count -= 32;
        store<u32>(at, bswap<u32>(<u32>(bits >> <u64>count)));
        at += 4;
      }
      const length: u32 = isShort ? 8 : 16;
      bits = (bits << <u64>length) | <u64>(isShort ? <u32>level & 0xff : (sign << 15) | (<u32>level & 0xff));
      count += length;
    }
    if (count >= 32) {
      count -= 32;
      store<u32>(at, bswap<u32>(<u32>(bits >> <u64>count)));
      at += 4;
    }
  }
  to = at;
  pending = bits;
  pendingBits = count;
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
}

/** A difference of vectors, wrapped into the range of f_code; ISO/IEC 11172-2 §2.4.4.2. */
// @ts-ignore: decorator
@inline
function wrapped(difference: i32, fCode: i32): i32 {
  const shift = 27 - (fCode - 1);
  return (difference << shift) >> shift;
}

/** motion_*_code and motion_*_r; Table B.4. */
function putMotion(motion: usize, difference: i32, fCode: i32): void {
  const value = wrapped(difference, fCode);
  if (value == 0) {
    putEntry(motion, 0);
    return;
  }
  const rSize = <u32>(fCode - 1);
  const magnitude = <u32>(abs<i32>(value) - 1);
  putEntry(motion, <i32>(magnitude >> rSize) + 1);
  put(<u32>value >>> 31, 1);
  if (rSize != 0) put(magnitude & ((1 << rSize) - 1), rSize);
}

/** Bits of the two components that putMotion writes. */
function motionBits(motion: usize, dx: i32, dy: i32, fCode: i32): u32 {
  let bits: u32 = 0;
  for (let i = 0; i < 2; i++) {
    const value = wrapped(i == 0 ? dx : dy, fCode);
    const code = value == 0 ? 0 : ((abs<i32>(value) - 1) >> (fCode - 1)) + 1;
    bits += load<u8>(motion + (<usize>code << 2), 3);
    if (value != 0) bits += <u32>fCode;
  }
  return bits;
}

/** A component of a macroblock's vector less the predicted one. */
// @ts-ignore: decorator
@inline
function difference(components: usize, address: usize, predicted: i32): i32 {
  return <i32>load<i16>(components + (address << 1)) - predicted;
}

// @ts-ignore: decorator
@inline
function types(writing: SliceWriting): usize {
  return writing.codes.types + (<usize>writing.pictureType << 7);
}

/** Whether the last macroblock of a slice would end in the byte in which it begins; see slice.ts in src. */
function endsInItsFirstByte(writing: SliceWriting, address: usize, flags: i32): bool {
  const bitsLeft = -pendingBits & 7;
  if (bitsLeft == 0 || (flags & (MACROBLOCK_INTRA | MACROBLOCK_PATTERN)) != 0) return false;
  const increment = writing.increment;
  if (increment > MAX_INCREMENT) return false; // an escape alone is longer
  const codes = writing.codes;
  const symbols = writing.symbols;
  let bits: u32 = load<u8>(codes.increments + (<usize>increment << 2), 3);
  bits += load<u8>(types(writing) + (<usize>flags << 2), 3);
  if (flags & MACROBLOCK_MOTION_FORWARD) {
    const dx = difference(symbols.forwardDx, address, writing.forwardDx);
    bits += motionBits(codes.motion, dx, difference(symbols.forwardDy, address, writing.forwardDy), writing.forwardFCode);
  }
  if (flags & MACROBLOCK_MOTION_BACKWARD) {
    const dx = difference(symbols.backwardDx, address, writing.backwardDx);
    const dy = difference(symbols.backwardDy, address, writing.backwardDy);
    bits += motionBits(codes.motion, dx, dy, writing.backwardFCode);
  }
  return bits <= bitsLeft;
}

function putIncrement(writing: SliceWriting): void {
  const increments = writing.codes.increments;
  let rest = writing.increment;
  for (; rest > MAX_INCREMENT; rest -= MAX_INCREMENT) putEntry(increments, 0); // macroblock_escape
  putEntry(increments, rest); // macroblock_address_increment
}

/** macroblock(), from macroblock_type on; ISO/IEC 11172-2 §2.4.2.7. */
function putMacroblock(writing: SliceWriting, symbols: SymbolArrays, address: usize, flags: i32): void {
  const codes = writing.codes;
  const motion = codes.motion;
  const scale = <i32>load<u8>(symbols.quantizerScale + address);
  const hasCoefficients = (flags & (MACROBLOCK_INTRA | MACROBLOCK_PATTERN)) != 0;
  const changesScale = hasCoefficients && scale != writing.quantizerScale;
  putEntry(types(writing), changesScale ? flags | MACROBLOCK_QUANT : flags);
  if (changesScale) put(<u32>scale, QUANTIZER_SCALE_BITS);
  if (flags & MACROBLOCK_MOTION_FORWARD) {
    putMotion(motion, difference(symbols.forwardDx, address, writing.forwardDx), writing.forwardFCode);
    putMotion(motion, difference(symbols.forwardDy, address, writing.forwardDy), writing.forwardFCode);
  }
  if (flags & MACROBLOCK_MOTION_BACKWARD) {
    putMotion(motion, difference(symbols.backwardDx, address, writing.backwardDx), writing.backwardFCode);
    putMotion(motion, difference(symbols.backwardDy, address, writing.backwardDy), writing.backwardFCode);
  }
  const levels = symbols.levels + address * 6 * BLOCK;
  if (flags & MACROBLOCK_INTRA) putIntraBlocks(writing, codes, levels);
  else if (flags & MACROBLOCK_PATTERN) {
    const pattern = <i32>load<u8>(symbols.codedBlockPattern + address);
    putEntry(codes.patterns, pattern);
    const runLevels = codes.runLevels;
    for (let block: i32 = 0; block < 6; block++) {
      if (pattern & (32 >> block)) putCoefficients(runLevels, levels + <usize>block * BLOCK, 0);
    }
  }
}

// @ts-ignore: decorator
@inline
function setVectors(writing: SliceWriting, forwardDx: i32, forwardDy: i32, backwardDx: i32, backwardDy: i32): void {
  writing.forwardDx = forwardDx;
  writing.forwardDy = forwardDy;
  writing.backwardDx = backwardDx;
  writing.backwardDy = backwardDy;
}

/** What the macroblock predicts of the next one; see SlicePredictors. */
// @ts-ignore: decorator
@inline
function updatePredictors(writing: SliceWriting, symbols: SymbolArrays, address: usize, flags: i32): void {
  if (flags & (MACROBLOCK_INTRA | MACROBLOCK_PATTERN)) {
    writing.quantizerScale = <i32>load<u8>(symbols.quantizerScale + address);
  }
  if (flags & MACROBLOCK_INTRA) {
    const levels = symbols.levels + address * 6 * BLOCK;
    writing.dcY = <i32>load<i16>(levels + 3 * BLOCK);
    writing.dcCb = <i32>load<i16>(levels + 4 * BLOCK);
    writing.dcCr = <i32>load<i16>(levels + 5 * BLOCK);
    setVectors(writing, 0, 0, 0, 0);
    return;
  }
  writing.dcY = DC_RESET;
  writing.dcCb = DC_RESET;
  writing.dcCr = DC_RESET;
  if (flags & MACROBLOCK_MOTION_FORWARD) {
    writing.forwardDx = <i32>load<i16>(symbols.forwardDx + (address << 1));
    writing.forwardDy = <i32>load<i16>(symbols.forwardDy + (address << 1));
  } else if (writing.pictureType != 2) setVectors(writing, 0, 0, 0, 0);
  if (flags & MACROBLOCK_MOTION_BACKWARD) {
    writing.backwardDx = <i32>load<i16>(symbols.backwardDx + (address << 1));
    writing.backwardDy = <i32>load<i16>(symbols.backwardDy + (address << 1));
  }
}

export function writeMacroblocks(writing: SliceWriting, first: i32, count: i32, last: i32): i32 {
  const symbols = writing.symbols;
  const output = writing.output;
  to = output;
  pending = <u64>writing.pending;
  pendingBits = <u32>writing.pendingBits;
  for (let address = first; address < first + count; address++) {
    const flags = <i32>load<u8>(symbols.flags + <usize>address);
    if (flags == 0) writing.increment += 1;
    else {
      if (address == last && endsInItsFirstByte(writing, <usize>address, flags)) {
        put(MACROBLOCK_STUFFING, MACROBLOCK_STUFFING_BITS);
      }
      putIncrement(writing);
      putMacroblock(writing, symbols, <usize>address, flags);
      writing.increment = 1;
    }
    updatePredictors(writing, symbols, <usize>address, flags);
  }
  flushBytes();
  writing.pending = <i32>pending;
  writing.pendingBits = <i32>pendingBits;
  return <i32>(to - output);
}
