// Turns the levels of a block into run/level codes.
import type { BitstreamKernels } from '../../kernels/contracts/bitstream-kernels.js';
import type { KernelMemory } from '../../kernels/kernel-memory.js';
import { MAX_CODE_WORD_BITS } from '../../kernels/records/code-words.js';
import { COEFFICIENT_ESCAPE, END_OF_BLOCK, FIRST_ZERO_RUN_ONE, RUN_LEVEL_TABLE_STRIDE } from '../tables/block-codes.js';

/** Bits of the run in an escape; ISO/IEC 11172-2 Table B.5d. */
const RUN_BITS = 6;
const ESCAPE_BITS = COEFFICIENT_ESCAPE.length + RUN_BITS;

/** The value of a printed code. */
function codeValue(printed: string): number {
  return Number.parseInt(printed, 2);
}

/** The definition of codeCoefficients. */
export function referenceCodeCoefficients({ i16, u32 }: KernelMemory): BitstreamKernels {
  return {
    codeCoefficients(words, levels, codes, first) {
      let count = 0;
      let bits = 0;
      let length = 0;
      const flush = (): void => {
        u32[words / 4 + count++] = length * 2 ** 24 + bits;
        bits = 0;
        length = 0;
      };
      const put = (code: number, codeLength: number): void => {
        if (length + codeLength > MAX_CODE_WORD_BITS) flush();
        bits = (bits << codeLength) | code;
        length += codeLength;
      };
      let run = 0;
      for (let position: number = first; position < 64; position++) {
        const level = i16[levels / 2 + position]!;
        const magnitude = Math.abs(level);
        if (magnitude === 0) {
          run++;
          continue;
        }
        const sign = level < 0 ? 1 : 0;
        const isShort = magnitude < RUN_LEVEL_TABLE_STRIDE;
        const code = isShort ? u32[codes / 4 + run * RUN_LEVEL_TABLE_STRIDE + magnitude]! : 0;
        if (position === 0 && magnitude === 1) {
          put((codeValue(FIRST_ZERO_RUN_ONE) << 1) | sign, FIRST_ZERO_RUN_ONE.length + 1);
        } else if (code !== 0) put((code & 0xffffff) | sign, code >>> 24);
        else {
          put((codeValue(COEFFICIENT_ESCAPE) << RUN_BITS) | run, ESCAPE_BITS);
          if (isShort) put(level & 0xff, 8);
          else put((sign << 15) | (level & 0xff), 16);
        }
        run = 0;
      }
      put(codeValue(END_OF_BLOCK), END_OF_BLOCK.length);
      flush();
      return count;
    },
  };
}
