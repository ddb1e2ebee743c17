// The best vectors of motion fields, and how far vectors reach.
import type { FieldKernels } from '../../kernels/contracts/field-kernels.js';
import type { KernelMemory } from '../../kernels/kernel-memory.js';

/** The definition of the kernels. */
export function referenceFieldVectors({ u8, i16, u16, u32 }: KernelMemory): FieldKernels {
  return {
    bestOfField(best, dx, dy, costs, candidates, penalties, macroblocks) {
      const penalty = (component: number) => u32[penalties / 4 + Math.abs(component)];
      for (let address = 0; address < macroblocks; address++) {
        const entry = address * candidates;
        const [x, y] = [i16[dx / 2 + entry], i16[dy / 2 + entry]];
        i16[best / 2 + address] = x;
        i16[best / 2 + macroblocks + address] = y;
        u16[best / 2 + 2 * macroblocks + address] = Math.max(0, u32[costs / 4 + entry] - penalty(x) - penalty(y));
      }
    },

    countExtents(counts, dx, dy, candidates, macroblocks) {
      for (let address = 0; address < macroblocks; address++) {
        const [x, y] = [dx, dy].map(components => i16[components / 2 + address * candidates]);
        const [least, greatest] = [2 * Math.min(x, y) - 1, 2 * Math.max(x, y) + 1];
        u32[counts / 4 + 32 - Math.clz32(Math.max(greatest, -1 - least))]++;
      }
    },

    vectorExtent(flagsAt, flags, dx, dy, macroblocks) {
      let extent = 0;
      for (let address = 0; address < macroblocks; address++) {
        if ((u8[flagsAt + address] & flags) === 0) continue;
        for (const component of [i16[dx / 2 + address], i16[dy / 2 + address]]) {
          extent = Math.max(extent, component, -1 - component);
        }
      }
      return extent;
    },
  };
}
