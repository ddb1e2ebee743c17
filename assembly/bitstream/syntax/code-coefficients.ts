// Turns the levels of a block into run/level codes.
import {
  COEFFICIENT_ESCAPE as ESCAPE,
  COEFFICIENT_ESCAPE_BITS as ESCAPE_BITS,
  END_OF_BLOCK,
  END_OF_BLOCK_BITS,
  FIRST_ZERO_RUN_ONE,
  FIRST_ZERO_RUN_ONE_BITS,
  MAX_CODE_WORD_BITS,
  RUN_LEVEL_TABLE_STRIDE,
} from '../../generated/tables';

/** Bits of the run in an escape; ISO/IEC 11172-2 Table B.5d. */
const RUN_BITS: u32 = 6;

/** One bit for each of 16 levels that is not zero. */
// @ts-ignore: decorator
@inline
function nonZero(at: usize): u64 {
  const zero = i16x8.splat(0);
  const low = i16x8.ne(v128.load(at), zero);
  const high = i16x8.ne(v128.load(at, 16), zero);
  return <u64>i8x16.bitmask(i8x16.narrow_i16x8_s(low, high));
}

let to: usize = 0;
let bits: u32 = 0;
let length: u32 = 0;

// @ts-ignore: decorator
@inline
function put(code: u32, codeLength: u32): void {
  if (length + codeLength > <u32>MAX_CODE_WORD_BITS) {
    store<u32>(to, (length << 24) | bits);
    to += 4;
    bits = 0;
    length = 0;
  }
  bits = (bits << codeLength) | code;
  length += codeLength;
}

export function codeCoefficients(words: usize, levels: usize, codes: usize, first: i32): i32 {
  let mask = nonZero(levels) | (nonZero(levels + 32) << 16) | (nonZero(levels + 64) << 32) | (nonZero(levels + 96) << 48);
  if (first != 0) mask &= ~1;
  to = words;
  bits = 0;
  length = 0;
  let next = first;
  while (mask != 0) {
    const position = <i32>ctz(mask);
    mask &= mask - 1;
    const level = <i32>load<i16>(levels + (<usize>position << 1));
    const magnitude = abs<i32>(level);
    const sign = <u32>level >>> 31;
    const run = position - next;
    next = position + 1;
    if (position == 0 && magnitude == 1) {
      put((FIRST_ZERO_RUN_ONE << 1) | sign, FIRST_ZERO_RUN_ONE_BITS + 1); // dct_coeff_first
      continue;
    }
    if (magnitude < RUN_LEVEL_TABLE_STRIDE) {
      const code = load<u32>(codes + (<usize>(run * RUN_LEVEL_TABLE_STRIDE + magnitude) << 2));
      if (code != 0) {
        put((code & 0xffffff) | sign, code >>> 24);
        continue;
      }
      put((ESCAPE << RUN_BITS) | <u32>run, ESCAPE_BITS + RUN_BITS);
      put(<u32>level & 0xff, 8);
      continue;
    }
    put((ESCAPE << RUN_BITS) | <u32>run, ESCAPE_BITS + RUN_BITS);
    put((sign << 15) | (<u32>level & 0xff), 16);
  }
  put(END_OF_BLOCK, END_OF_BLOCK_BITS);
  store<u32>(to, (length << 24) | bits);
  return <i32>((to - words) >> 2) + 1;
}
