// Adaptive quantization: scale factors by the activity of the luma.
import type { Picture } from '../../picture/picture.js';
import { exp2, log2 } from '../../portable-math.js';

/** The names of {@link TuneName}. */
export const TUNE_NAMES = ['psnr', 'ssim'] as const;

/** The quality measures that an encode can optimize. */
export type TuneName = (typeof TUNE_NAMES)[number];

/** The greatest strength. */
export const MAX_STRENGTH = 4;

/**
 * Side in pels of the blocks whose variance is measured: that of a transform block, and about that of SSIM's window.
 */
const BLOCK = 8;
const BLOCK_PELS = BLOCK * BLOCK;
/**
 * C2 of SSIM, (0.03 * 255)^2 (Wang et al., 2004): added to variances, so that the errors of flat blocks do not count
 * infinitely.
 */
const SSIM_C2 = 58.5;
/**
 * At strength 1, scale factor = (relative variance)^EXPONENT. Strengths 0.5, 1 and 2 are measured in
 * docs/benchmarks.md.
 */
const EXPONENT = 0.25;
/** Bound of the factors, and of their inverses; not measured. */
const MAX_FACTOR = 2.5;

/**
 * The scale factor of each macroblock of a picture, in raster order: above 1 where the luma is busy, which hides
 * errors, below 1 where it is calm. A macroblock's activity is the mean logarithm of its four blocks' variances. The
 * factor is (variance / mean variance of the picture)^(0.25 * strength) by these logarithms. As in x264's adaptive
 * quantization, but with SSIM's C2.
 */
export function activityFactors({ grid, y }: Picture, strength: number): Float64Array {
  const { mbWidth, mbHeight, codedWidth } = grid;
  const activity = new Float64Array(mbWidth * mbHeight);
  let differences = 0;
  for (let address = 0; address < activity.length; address++) {
    const first = Math.floor(address / mbWidth) * 16 * codedWidth + (address % mbWidth) * 16;
    let product = 1;
    for (const corner of [0, BLOCK, BLOCK * codedWidth, BLOCK * codedWidth + BLOCK]) {
      product *= SSIM_C2 + blockVariance(y, first + corner, codedWidth);
    }
    activity[address] = log2(product) / 4;
    differences += activity[address]! - activity[0]!;
  }
  // So it is exact where all are the same.
  const mean = activity[0]! + differences / activity.length;
  return activity.map(value => {
    const factor = exp2(EXPONENT * strength * (value - mean));
    return Math.max(1 / MAX_FACTOR, Math.min(MAX_FACTOR, factor));
  });
}

/** Variance of the pels of an 8x8 block that starts at index `first`. */
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
