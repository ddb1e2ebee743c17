// What the macroblocks of a picture are predicted from, and the weights that they hand on: for the macroblock tree.
import type { WeightKernels } from '../kernels/contracts/weight-kernels.js';
import type { KernelMemory } from '../kernels/kernel-memory.js';

/** The definition of the kernels. */
export function referenceWeightPropagation({ u8, i16, u16, i32, u32, f32, f64 }: KernelMemory): WeightKernels {
  /** The past anchor's share of a prediction: both are averaged where that is better than either. */
  const pastShare = (sad: number, past: number, future: number): number => {
    const one = Math.min(past, future);
    if (sad < one) return 0.5;
    return one === past ? 1 : 0;
  };
  return {
    squareErrors(squaredErrors, found, macroblocks) {
      for (let address = 0; address < macroblocks; address++) {
        const sad = u32[found / 4 + address];
        const intra = u16[found / 2 + 10 * macroblocks + address];
        const error = sad / 256;
        f64[squaredErrors / 8 + address] = sad > intra ? Number.POSITIVE_INFINITY : error * error;
      }
    },

    findDependence(dependence, found, columns, rows, anchor, anchors) {
      const macroblocks = columns * rows;
      const sads = found / 4;
      const dx = found / 2 + (6 + 2 * anchor) * macroblocks;
      const dy = dx + macroblocks;
      const match = dependence / 4;
      const right = dependence + 8 * macroblocks;
      for (let address = 0; address < macroblocks; address++) {
        const x = 16 * (address % columns) + i16[dx + address];
        const y = 16 * Math.floor(address / columns) + i16[dy + address];
        i32[match + address] = (y >> 4) * (columns + 1) + (x >> 4);
        u8[right + address] = x & 15;
        u8[right + macroblocks + address] = y & 15;
        const [sad, past, future] = [0, 1, 2].map(i => u32[sads + i * macroblocks + address]);
        const ofPast = anchors === 1 ? 1 : pastShare(sad, past, future);
        f32[match + macroblocks + address] = anchor === 0 ? ofPast : 1 - ofPast;
      }
    },

    findDivisors(divisors, squaredErrors, macroblocks, perSquaredScale) {
      for (let address = 0; address < macroblocks; address++) {
        f64[divisors / 8 + address] = 1 + f64[squaredErrors / 8 + address] * perSquaredScale;
      }
    },

    handOnWeights(to, own, dependence, divisors, columns, rows) {
      const macroblocks = columns * rows;
      const stride = columns + 1;
      const match = dependence / 4;
      const right = dependence + 8 * macroblocks;
      for (let address = 0; address < macroblocks; address++) {
        const weight = 1 + f64[own / 8 + address + Math.floor(address / columns)];
        const handed = (f32[match + macroblocks + address] * weight) / f64[divisors / 8 + address];
        const toRight = handed * (u8[right + address] / 16);
        const toLeft = handed - toRight;
        const partBelow = u8[right + macroblocks + address] / 16;
        const partAbove = 1 - partBelow;
        const at = to / 8 + i32[match + address];
        f64[at] += toLeft * partAbove;
        f64[at + 1] += toRight * partAbove;
        f64[at + stride] += toLeft * partBelow;
        f64[at + stride + 1] += toRight * partBelow;
      }
    },

    addWeights(to, weights, count) {
      for (let at = 0; at < count; at++) f64[to / 8 + at] += f64[weights / 8 + at];
    },
  };
}
