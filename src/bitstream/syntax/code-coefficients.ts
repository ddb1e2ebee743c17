import type { KernelMemory } from '../../kernels/kernel-memory.js';
import type { TransformKernels } from '../../kernels/transform-kernels.js';

/** Entries of the run/level code table per run; larger magnitudes take the long escape. */
const CODES_STRIDE = 128;
const ESCAPE = 0b000001;
const END_OF_BLOCK = 0b10;
const MAX_BITS = 24;

/** The definition of codeCoefficients. */
export function referenceCodeCoefficients({ i16, u32 }: KernelMemory): TransformKernels['codeCoefficients'] {
  return (words, levels, codes, first) => {
    let count = 0;
    let bits = 0;
    let length = 0;
    const flush = (): void => {
      u32[words / 4 + count++] = length * 2 ** 24 + bits;
      bits = 0;
      length = 0;
    };
    const put = (code: number, codeLength: number): void => {
      if (length + codeLength > MAX_BITS) flush();
      bits = (bits << codeLength) | code;
      length += codeLength;
    };
    let run = 0;
    for (let position: number = first; position < 64; position++) {
      const level = i16[levels / 2 + position];
      const magnitude = Math.abs(level);
      const sign = level < 0 ? 1 : 0;
      const code = magnitude < CODES_STRIDE ? u32[codes / 4 + run * CODES_STRIDE + magnitude] : 0;
      if (magnitude === 0) run++;
      else {
        if (position === 0 && magnitude === 1) put(0b10 | sign, 2);
        else if (code !== 0) put((code & 0xffffff) | sign, code >>> 24);
        else {
          put((ESCAPE << 6) | run, 12);
          if (magnitude < 128) put(level & 0xff, 8);
          else put(((sign === 1 ? 0x80 : 0x00) << 8) | (level & 0xff), 16);
        }
        run = 0;
      }
    }
    put(END_OF_BLOCK, 2);
    flush();
    return count;
  };
}
