// What the macroblocks of a source picture cost without a prediction, and with the mean of two: for the lookahead.
import { MAX_COST_PRODUCT, type PictureKernels } from '../kernels/contracts/picture-kernels.js';
import type { KernelMemory } from '../kernels/kernel-memory.js';
import { deviation } from './block-differences.js';

type MacroblockCostKernels = Pick<
  PictureKernels,
  'macroblockDeviations' | 'interpolatedSads' | 'sumCodingCosts' | 'sumAtLeast' | 'sumLesser' | 'takeLesser'
>;

/** The definition of the kernels. */
export function referenceMacroblockCosts({ u8: pels, i16, u16, f64 }: KernelMemory): MacroblockCostKernels {
  return {
    macroblockDeviations(deviations, plane, width, height) {
      let macroblock = deviations / 2;
      let total = 0;
      for (let y = 0; y < height; y += 16) {
        for (let x = 0; x < width; x += 16) {
          u16[macroblock] = 0;
          for (const block of [0, 8, 8 * width, 8 * width + 8]) {
            const measured = deviation(pels, plane + y * width + x + block, width, 8);
            u16[macroblock] += measured.deviation;
            total += measured.sum;
          }
          macroblock++;
        }
      }
      return total;
    },

    interpolatedSads(sads, vectors, current, past, future, columns, rows) {
      const macroblocks = columns * rows;
      const stride = 16 * columns;
      for (let address = 0; address < macroblocks; address++) {
        const at = 16 * Math.floor(address / columns) * stride + 16 * (address % columns);
        const [pastDx, pastDy, futureDx, futureDy] = [0, 1, 2, 3].map(
          i => i16[vectors / 2 + i * macroblocks + address],
        );
        const toPast = past + at + pastDy * stride + pastDx;
        const toFuture = future + at + futureDy * stride + futureDx;
        let sum = 0;
        for (let row = 0; row < 16 * stride; row += stride) {
          for (let i = row; i < row + 16; i++) {
            sum += Math.abs(pels[current + at + i] - ((pels[toPast + i] + pels[toFuture + i] + 1) >> 1));
          }
        }
        u16[sads / 2 + address] = sum;
      }
    },

    sumCodingCosts(sums, sads, intra, first, macroblocks) {
      let [sum, product, a, b, c, d, e] = f64.subarray(sums / 8, sums / 8 + 7);
      let address = first;
      while (address < macroblocks && product <= MAX_COST_PRODUCT) {
        const error = Math.min(u16[sads / 2 + address], u16[intra / 2 + address]) * a;
        const squared = error * error;
        const power = squared + b - c * Math.min(d, squared * e);
        sum += Math.min(power, 1);
        product *= Math.max(power, 1);
        address++;
      }
      f64[sums / 8] = sum;
      f64[sums / 8 + 1] = product;
      return address;
    },

    sumAtLeast(values, least, count) {
      let sum = 0;
      for (const value of u16.subarray(values / 2, values / 2 + count)) sum += Math.max(value, least);
      return sum;
    },

    sumLesser(values, others, least, count) {
      let sum = 0;
      for (let i = 0; i < count; i++) sum += Math.min(u16[values / 2 + i], Math.max(u16[others / 2 + i], least));
      return sum;
    },

    takeLesser(values, others, count) {
      for (let i = 0; i < count; i++) u16[values / 2 + i] = Math.min(u16[values / 2 + i], u16[others / 2 + i]);
    },
  };
}
