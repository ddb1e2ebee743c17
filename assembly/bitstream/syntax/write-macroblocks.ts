// Writes the macroblocks of a slice.
import { MacroblockCodes, SliceWriting, SymbolArrays } from '../../generated/records';
import {
  B_PICTURE,
  MACROBLOCK_INTRA,
  MACROBLOCK_MOTION_BACKWARD,
  MACROBLOCK_MOTION_FORWARD,
  MACROBLOCK_PATTERN,
  MACROBLOCK_QUANT,
  MACROBLOCK_STUFFING,
  MACROBLOCK_STUFFING_BITS,
  QUANTIZER_SCALE_BITS,
} from '../../generated/tables';
import { bigEndian, flushBytes, goOn, pending, pendingBits, put, putEntry, to } from './bit-sink';

/** The largest macroblock_address_increment with a code of its own. */
const MAX_INCREMENT: i32 = 33;

/** A difference of vectors, wrapped into the range of f_code; ISO/IEC 11172-2 §2.4.4.2. */
// @ts-ignore: decorator
@inline
function wrapped(difference: i32, fCode: i32): i32 {
  const shift = 27 - (fCode - 1);
  return (difference << shift) >> shift;
}

/** How many bits have been put, but for a constant and multiples of 2^32. */
// @ts-ignore: decorator
@inline
function bitsPut(): i32 {
  return (<i32>to << 3) + <i32>pendingBits;
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

/** macroblock(), from macroblock_type on and without its blocks; ISO/IEC 11172-2 §2.4.2.7. */
function putHeader(writing: SliceWriting, symbols: SymbolArrays, address: usize, flags: i32): void {
  const codes = writing.codes;
  const motion = codes.motion;
  const scale = <i32>load<u8>(symbols.quantizerScale + address);
  const hasCoefficients = (flags & (MACROBLOCK_INTRA | MACROBLOCK_PATTERN)) != 0;
  const changesScale = hasCoefficients && scale != writing.quantizerScale;
  putEntry(types(writing), changesScale ? flags | MACROBLOCK_QUANT : flags);
  if (changesScale) put(<u32>scale, QUANTIZER_SCALE_BITS);
  const before = bitsPut();
  if (flags & MACROBLOCK_MOTION_FORWARD) {
    putMotion(motion, difference(symbols.forwardDx, address, writing.forwardDx), writing.forwardFCode);
    putMotion(motion, difference(symbols.forwardDy, address, writing.forwardDy), writing.forwardFCode);
  }
  if (flags & MACROBLOCK_MOTION_BACKWARD) {
    putMotion(motion, difference(symbols.backwardDx, address, writing.backwardDx), writing.backwardFCode);
    putMotion(motion, difference(symbols.backwardDy, address, writing.backwardDy), writing.backwardFCode);
  }
  writing.vectorBits += bitsPut() - before;
  if (flags & MACROBLOCK_PATTERN) putEntry(codes.patterns, <i32>load<u8>(symbols.codedBlockPattern + address));
}

/** Copies `bits` bits from `from` on; up to three bytes after them are read, too. */
function copyBits(from: usize, bits: u32): void {
  // In locals, as in putPairs.
  let at = to;
  let carried = pending;
  const count = <u64>pendingBits;
  for (; bits >= 32; bits -= 32) {
    carried = (carried << 32) | <u64>bigEndian(load<u32>(from));
    store<u32>(at, bigEndian(<u32>(carried >> count)));
    from += 4;
    at += 4;
  }
  goOn(at, carried, <u32>count);
  if (bits != 0) put(bigEndian(load<u32>(from)) >>> (32 - bits), bits);
}

// @ts-ignore: decorator
@inline
function setVectors(writing: SliceWriting, forwardDx: i32, forwardDy: i32, backwardDx: i32, backwardDy: i32): void {
  writing.forwardDx = forwardDx;
  writing.forwardDy = forwardDy;
  writing.backwardDx = backwardDx;
  writing.backwardDy = backwardDy;
}

/** What the header of the macroblock predicts of the next one; see SlicePredictors. */
// @ts-ignore: decorator
@inline
function updatePredictors(writing: SliceWriting, symbols: SymbolArrays, address: usize, flags: i32): void {
  if (flags & (MACROBLOCK_INTRA | MACROBLOCK_PATTERN)) {
    writing.quantizerScale = <i32>load<u8>(symbols.quantizerScale + address);
  }
  if (flags & MACROBLOCK_INTRA) {
    setVectors(writing, 0, 0, 0, 0);
    return;
  }
  if (flags & MACROBLOCK_MOTION_FORWARD) {
    writing.forwardDx = <i32>load<i16>(symbols.forwardDx + (address << 1));
    writing.forwardDy = <i32>load<i16>(symbols.forwardDy + (address << 1));
  } else if (writing.pictureType != B_PICTURE) setVectors(writing, 0, 0, 0, 0);
  if (flags & MACROBLOCK_MOTION_BACKWARD) {
    writing.backwardDx = <i32>load<i16>(symbols.backwardDx + (address << 1));
    writing.backwardDy = <i32>load<i16>(symbols.backwardDy + (address << 1));
  }
}

export function writeMacroblocks(writing: SliceWriting, first: i32, count: i32, last: i32): i32 {
  const symbols = writing.symbols;
  const output = writing.output;
  let blocks = writing.blocks;
  goOn(output, <u64>writing.pending, <u32>writing.pendingBits);
  for (let address = first; address < first + count; address++) {
    const flags = <i32>load<u8>(symbols.flags + <usize>address);
    if (flags == 0) writing.increment += 1;
    else {
      if (address == last && endsInItsFirstByte(writing, <usize>address, flags)) {
        put(MACROBLOCK_STUFFING, MACROBLOCK_STUFFING_BITS);
      }
      putIncrement(writing);
      putHeader(writing, symbols, <usize>address, flags);
      const bits = <u32>load<u16>(writing.blockBits + (<usize>address << 1));
      copyBits(blocks, bits);
      blocks += (bits + 7) >> 3;
      writing.increment = 1;
    }
    updatePredictors(writing, symbols, <usize>address, flags);
  }
  flushBytes();
  writing.pending = <i32>pending;
  writing.pendingBits = <i32>pendingBits;
  return <i32>(to - output);
}
