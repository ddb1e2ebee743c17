import type { Picture } from '../../picture/picture.js';

/** What a picture can be made to be good by. */
export type TuneName = 'psnr' | 'ssim';

/** The legal names. */
export const TUNE_NAMES: readonly TuneName[] = ['psnr', 'ssim'];

/** The greatest strength. */
export const MAX_STRENGTH = 4;

/** Side of the blocks whose variance is taken: that of a transform, and about that of a window of SSIM. */
const BLOCK = 8;
const BLOCK_PELS = BLOCK * BLOCK;
/** (0.03 * 255)^2: what SSIM adds to variances, so that a flat window's small errors do not count infinitely. */
const STABILISER = 58.5;
/** At strength 1 the scale goes with the variance to this power; measured, see docs/benchmarks.md. */
const EXPONENT = 0.25;
/** Furthest factor to either side. */
const FURTHEST = 2.5;

/**
 * How much coarser each macroblock of a picture is to be quantized than the mean, by how busy its luma is: errors show where
 * little happens and are masked where much does. The logarithm of a block's variance is averaged over the macroblock's four blocks, and
 * its difference from the picture's mean gives the factor: (variance / mean)^(0.25 * strength), in the mean of the logarithms 1.
 * As x264's adaptive quantization, but for the constant that SSIM takes.
 */
export function activityFactors({ grid, y }: Picture, strength: number): Float64Array {
  const { mbWidth, mbHeight, codedWidth } = grid;
  const activity = new Float64Array(mbWidth * mbHeight);
  let sum = 0;
  for (let address = 0; address < activity.length; address++) {
    const first = Math.floor(address / mbWidth) * 16 * codedWidth + (address % mbWidth) * 16;
    let logs = 0;
    for (const corner of [0, BLOCK, BLOCK * codedWidth, BLOCK * codedWidth + BLOCK]) {
      logs += Math.log(STABILISER + blockVariance(y, first + corner, codedWidth));
    }
    activity[address] = logs / 4;
    sum += logs / 4;
  }
  const mean = sum / activity.length;
  return activity.map(value => {
    const factor = Math.exp(EXPONENT * strength * (value - mean));
    return Math.max(1 / FURTHEST, Math.min(FURTHEST, factor));
  });
}

/** Variance of the pels of an 8x8 block. */
function blockVariance(pels: Uint8Array, first: number, stride: number): number {
  let sum = 0;
  let squares = 0;
  for (let row = first; row < first + BLOCK * stride; row += stride) {
    for (let at = row; at < row + BLOCK; at++) {
      const pel = pels[at]!;
      sum += pel;
      squares += pel * pel;
    }
  }
  return squares / BLOCK_PELS - (sum / BLOCK_PELS) ** 2;
}
