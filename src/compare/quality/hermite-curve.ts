// Piecewise cubic curves through points: the slopes at the points make the difference between the methods.
import type { Curve } from './curve.js';

/** Slopes at all points, from the widths of the pieces between them and the secants of these pieces. */
type SlopeRule = (widths: readonly number[], secants: readonly number[]) => number[];

/** Sums of Akima's weights below this share of the greatest one count as 0. */
const AKIMA_ZERO_SHARE = 1e-9;

/**
 * The curve through the points (`x[i]`, `y[i]`) that is a cubic between each two of them, with the slopes of `rule` at
 * the points: cubic Hermite interpolation. `x` rises strictly; two points make a straight line.
 */
export function hermiteCurve(x: readonly number[], y: readonly number[], rule: SlopeRule): Curve {
  const last = x.length - 1;
  const widths = x.slice(1).map((at, i) => at - x[i]!);
  const secants = widths.map((width, i) => (y[i + 1]! - y[i]!) / width);
  const slopes = last === 1 ? [secants[0]!, secants[0]!] : rule(widths, secants);
  /** Integral of piece `i` from its start to a fraction 0..1 of its width. */
  const pieceIntegral = (i: number, fraction: number) => {
    const [f2, f3, f4] = [fraction ** 2, fraction ** 3, fraction ** 4];
    return (
      widths[i]! *
      (y[i]! * (f4 / 2 - f3 + fraction) +
        widths[i]! * slopes[i]! * (f4 / 4 - (2 * f3) / 3 + f2 / 2) +
        y[i + 1]! * (f3 - f4 / 2) +
        widths[i]! * slopes[i + 1]! * (f4 / 4 - f3 / 3))
    );
  };
  const primitive = (at: number) => {
    let sum = 0;
    for (let i = 0; i < last && at > x[i]!; i++) sum += pieceIntegral(i, Math.min(1, (at - x[i]!) / widths[i]!));
    return sum;
  };
  return { low: x[0]!, high: x[last]!, integral: (from, to) => primitive(to) - primitive(from) };
}

/**
 * Slopes with which the curve is monotone wherever the points are (Fritsch and Carlson 1980): weighted harmonic means
 * of the neighbouring secants (Fritsch and Butland 1984), 0 where the points turn. Those of SciPy's
 * `PchipInterpolator`.
 */
export const pchipSlopes: SlopeRule = (widths, secants) => {
  const last = secants.length;
  return Array.from({ length: last + 1 }, (_, i) => {
    if (i === 0) return pchipEndSlope(widths[0]!, widths[1]!, secants[0]!, secants[1]!);
    if (i === last) return pchipEndSlope(widths[last - 1]!, widths[last - 2]!, secants[last - 1]!, secants[last - 2]!);
    const before = secants[i - 1]!;
    const after = secants[i]!;
    if (before * after <= 0) return 0;
    const weightBefore = widths[i - 1]! + 2 * widths[i]!;
    const weightAfter = 2 * widths[i - 1]! + widths[i]!;
    return (weightBefore + weightAfter) / (weightBefore / before + weightAfter / after);
  });
};

/** Slope at an end from three points, limited so that the curve stays monotone. */
function pchipEndSlope(width: number, nextWidth: number, secant: number, nextSecant: number): number {
  const slope = ((2 * width + nextWidth) * secant - width * nextSecant) / (width + nextWidth);
  if (slope * secant <= 0) return 0;
  if (secant * nextSecant <= 0 && Math.abs(slope) > 3 * Math.abs(secant)) return 3 * secant;
  return slope;
}

/**
 * Slopes of Akima (1970): the mean of the secants on both sides of a point, each weighted by how much the secants
 * change on the other side. Beyond each end there are two more secants, which go on as the last two do. Those of
 * SciPy's `Akima1DInterpolator`.
 *
 *     secants   m0   m1   m2   m3        point between m1 and m2
 *     weight of m1: |m3 - m2|            weight of m2: |m1 - m0|
 */
export const akimaSlopes: SlopeRule = (_, secants) => {
  const m = [...secants];
  for (let more = 0; more < 2; more++) {
    m.unshift(2 * m[0]! - m[1]!);
    m.push(2 * m.at(-1)! - m.at(-2)!);
  }
  const points = secants.length + 1;
  const weightsBefore = Array.from({ length: points }, (_, i) => Math.abs(m[i + 3]! - m[i + 2]!));
  const weightsAfter = Array.from({ length: points }, (_, i) => Math.abs(m[i + 1]! - m[i]!));
  const sums = weightsBefore.map((weight, i) => weight + weightsAfter[i]!);
  const zero = AKIMA_ZERO_SHARE * Math.max(...sums);
  return sums.map((sum, i) =>
    sum > zero ? (weightsBefore[i]! * m[i + 1]! + weightsAfter[i]! * m[i + 2]!) / sum : (m[i]! + m[i + 3]!) / 2,
  );
};
