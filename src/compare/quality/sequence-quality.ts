// PSNR and SSIM of a whole sequence, as ffmpeg computes them.
import type { Frame } from '../../picture/frame.js';
import { PlaneMean, type PlaneValues } from './plane-values.js';
import { meanSquaredError, planePsnr } from './psnr.js';
import { ssim } from './ssim.js';

/**
 * The PSNR of the mean squared error of all frames (not the mean of their PSNRs), and the mean of the frames' SSIM:
 * what ffmpeg's `psnr` and `ssim` filters print at the end.
 */
export class SequenceQuality {
  readonly #errors = new PlaneMean();
  readonly #similarity = new PlaneMean();

  /** With `withSsim` false, SSIM is not computed; it takes most of the time. */
  constructor(readonly withSsim = false) {}

  /** Adds a pair of frames. Returns the PSNR of this pair in dB, and with `withSsim` its SSIM. */
  add(original: Frame, decoded: Frame): { readonly psnr: PlaneValues; readonly ssim?: PlaneValues } {
    const errors = meanSquaredError(original, decoded);
    this.#errors.add(errors);
    const psnr = planePsnr(errors);
    if (!this.withSsim) return { psnr };
    const similarity = ssim(original, decoded);
    this.#similarity.add(similarity);
    return { psnr, ssim: similarity };
  }

  get frames(): number {
    return this.#errors.count;
  }

  /** PSNR in dB over the frames so far; NaN before the first. */
  psnr(): PlaneValues {
    return planePsnr(this.#errors.mean());
  }

  /** SSIM over the frames so far; NaN before the first, and without `withSsim`. */
  ssim(): PlaneValues {
    return this.#similarity.mean();
  }
}
