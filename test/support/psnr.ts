// The PSNR of two frames, for tests.
import type { PlaneValues } from '../../src/compare/quality/plane-values.js';
import { meanSquaredError, planePsnr } from '../../src/compare/quality/psnr.js';
import type { Frame } from '../../src/picture/frame.js';

/** PSNR in dB of each plane; Infinity for equal planes. */
export function psnr(a: Frame, b: Frame): PlaneValues {
  return planePsnr(meanSquaredError(a, b));
}
