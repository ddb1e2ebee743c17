// The places of a row where a pattern occurs: sums of absolute differences, in every place.
import type { PatternKernels } from '../../kernels/contracts/pattern-kernels.js';
import type { KernelMemory } from '../../kernels/kernel-memory.js';
import { PATTERN_SEARCH } from '../../kernels/records/pattern-search.js';

/** The definition of the pattern kernel. A sum that has passed the limit is not finished: no place is lost by that. */
export function referencePatternKernels(memory: KernelMemory): Pick<PatternKernels, 'findInRow'> {
  const { u8, u32, i32 } = memory;
  return {
    findInRow(search, y) {
      const { columns, stride, samples, limit, planes, offsets, values, found } = PATTERN_SEARCH.at(memory, search);
      let count = 0;
      for (let x = 0; x < columns; x++) {
        const place = planes + y * stride + x;
        let sum = 0;
        for (let i = 0; i < samples && sum <= limit; i++) {
          sum += Math.abs(u8[place + i32[offsets / 4 + i]] - u8[values + i]);
        }
        if (sum > limit) continue;
        u32[found / 4 + 2 * count] = x;
        u32[found / 4 + 2 * count + 1] = sum;
        count++;
      }
      return count;
    },
  };
}
