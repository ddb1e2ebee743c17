// Writes the coefficients of a block by a kernel.

import type { CoefficientWriter } from '../../bitstream/syntax/slice.js';
import type { Workspace } from './workspace.js';

/** A writer for pictures whose levels lie in the workspace. */
export function coefficientWriter({ kernels, memory, symbols, codes, codeWords }: Workspace): CoefficientWriter {
  const { u32 } = memory;
  const start = symbols.levels;
  return (sink, _levels, at, first) => {
    const count = kernels.codeCoefficients(codeWords, start + 2 * at, codes, first === 0 ? 0 : 1);
    const end = (codeWords >> 2) + count;
    for (let i = codeWords >> 2; i < end; i++) {
      const word = u32[i]!;
      sink.putBits(word & 0xffffff, word >>> 24);
    }
  };
}
