// The Bjøntegaard delta rate: how many more bits one encoder needs than another at equal quality.
import { counted } from '../../counted.js';
import { InputError } from '../../errors.js';
import type { Curve } from './curve.js';
import { akimaSlopes, hermiteCurve, pchipSlopes } from './hermite-curve.js';
import { fitCubic } from './polynomial-fit.js';

/** One encode of a rate-distortion curve. */
export interface RatePoint {
  /** Bits, or a bit rate in the unit of the other curve; above 0. */
  readonly bits: number;
  /** PSNR in dB, SSIM in dB (`ssimInDb`), VMAF, or another quality in the unit of the other curve; more is better. */
  readonly quality: number;
}

/** Ways to draw a curve through the points: by one polynomial, or piece by piece. */
export const BD_METHODS = ['cubic', 'pchip', 'akima'] as const;

/**
 * `cubic`: one polynomial of third order, of ITU-T VCEG-M33. `pchip`: piecewise cubic, monotone between the points, of
 * JCT-VC and JVET (JCTVC-L1100). `akima`: piecewise cubic with Akima's slopes (Herglotz et al. 2022).
 */
export type BdMethod = (typeof BD_METHODS)[number];

/** Points that a curve needs at least. */
export const MIN_POINTS: Readonly<Record<BdMethod, number>> = { cubic: 4, pchip: 2, akima: 2 };

/**
 * The Bjøntegaard delta rate: how many per cent more bits `test` needs than `anchor` at equal quality, averaged over
 * the range of quality of both curves; negative is better. The logarithm of the rate is a function of quality, whose
 * curve `method` draws; `cubic` is fitted by least squares (exact for four points). The points may have any order.
 * Equal points count once. Throws an InputError for too few points, points of equal quality and different bits, and
 * curves without a common range.
 */
export function bdRate(anchor: readonly RatePoint[], test: readonly RatePoint[], method: BdMethod = 'cubic'): number {
  const anchorCurve = logRateCurve(anchor, 'anchor', method);
  const testCurve = logRateCurve(test, 'test', method);
  const low = Math.max(anchorCurve.low, testCurve.low);
  const high = Math.min(anchorCurve.high, testCurve.high);
  if (!(low < high)) {
    throw new InputError(
      `no quality is covered by both curves: anchor ${rangeText(anchorCurve)}, test ${rangeText(testCurve)}; encode at nearer qualities`,
    );
  }
  const meanDifference = (testCurve.integral(low, high) - anchorCurve.integral(low, high)) / (high - low);
  return Math.expm1(meanDifference) * 100;
}

/** The natural logarithm of the rate as a function of quality. */
function logRateCurve(all: readonly RatePoint[], name: string, method: BdMethod): Curve {
  const points = all.filter(
    ({ bits, quality }, i) => !all.slice(0, i).some(other => other.bits === bits && other.quality === quality),
  );
  if (points.length < MIN_POINTS[method]) {
    throw new InputError(
      `the ${name} curve has ${counted(points.length, 'point')}; ${method} needs at least ${MIN_POINTS[method]}`,
    );
  }
  for (const { bits, quality } of points) {
    if (!(bits > 0 && Number.isFinite(bits) && Number.isFinite(quality))) {
      throw new InputError(
        `the ${name} curve has a point of ${bits} bits at quality ${quality}; both must be finite, bits above 0`,
      );
    }
  }
  const sorted = [...points].sort((a, b) => a.quality - b.quality);
  const qualities = sorted.map(point => point.quality);
  const logRates = sorted.map(point => Math.log(point.bits));
  const distinct = new Set(qualities).size;
  if (distinct < (method === 'cubic' ? MIN_POINTS.cubic : qualities.length)) {
    throw new InputError(`the ${name} curve has points of equal quality; every point must have a different one`);
  }
  if (method === 'cubic') return fitCubic(qualities, logRates);
  return hermiteCurve(qualities, logRates, method === 'pchip' ? pchipSlopes : akimaSlopes);
}

function rangeText({ low, high }: Curve): string {
  return `${low.toFixed(2)}..${high.toFixed(2)}`;
}
