// The Bjøntegaard delta rate: how many more bits one encoder needs than another at equal PSNR.
import { InputError } from '../../errors.js';

/** One encode of a rate-distortion curve. */
export interface RatePoint {
  /** Bits, or a bit rate in the unit of the other curve; above 0. */
  readonly bits: number;
  /** PSNR in dB, or another quality in dB, such as that of `ssimInDb`. */
  readonly psnrDb: number;
}

/**
 * `cubic`: one third-order polynomial for the curve. `pchip`: piecewise cubic through all points, monotone between
 * them.
 */
export type BdInterpolation = 'cubic' | 'pchip';

/**
 * The Bjøntegaard delta rate: how many per cent more bits `test` needs than `anchor` at equal PSNR, averaged over the
 * PSNR range of both curves; negative is better. `cubic` is ITU-T VCEG-M33: the log rate as a third-order polynomial of
 * PSNR, fitted by least squares (exact for four points). `pchip` is the method of JCT-VC-L1100. The points may have any
 * order. Throws an InputError for too few points, points of equal PSNR, and curves without a common range.
 */
export function bdRate(
  anchor: readonly RatePoint[],
  test: readonly RatePoint[],
  interpolation: BdInterpolation = 'cubic',
): number {
  const anchorCurve = logRateCurve(anchor, 'anchor', interpolation);
  const testCurve = logRateCurve(test, 'test', interpolation);
  const low = Math.max(anchorCurve.low, testCurve.low);
  const high = Math.min(anchorCurve.high, testCurve.high);
  if (!(low < high)) {
    throw new InputError(
      `no PSNR is covered by both curves: anchor ${rangeText(anchorCurve)}, test ${rangeText(testCurve)}; encode at nearer qualities`,
    );
  }
  const meanDifference = (testCurve.integral(low, high) - anchorCurve.integral(low, high)) / (high - low);
  return Math.expm1(meanDifference) * 100;
}

/** The natural logarithm of the rate as a function of PSNR. */
interface LogRateCurve {
  /** The range of PSNR in dB. */
  readonly low: number;
  readonly high: number;
  integral(from: number, to: number): number;
}

function logRateCurve(points: readonly RatePoint[], name: string, interpolation: BdInterpolation): LogRateCurve {
  const minPoints = interpolation === 'cubic' ? 4 : 2;
  if (points.length < minPoints) {
    throw new InputError(`the ${name} curve has ${points.length} points; ${interpolation} needs at least ${minPoints}`);
  }
  for (const { bits, psnrDb } of points) {
    if (!(bits > 0 && Number.isFinite(bits) && Number.isFinite(psnrDb))) {
      throw new InputError(
        `the ${name} curve has a point of ${bits} bits at ${psnrDb} dB; both must be finite, bits above 0`,
      );
    }
  }
  const sorted = [...points].sort((a, b) => a.psnrDb - b.psnrDb);
  const psnr = sorted.map(point => point.psnrDb);
  const logRate = sorted.map(point => Math.log(point.bits));
  const distinct = new Set(psnr).size;
  if (distinct < (interpolation === 'cubic' ? 4 : psnr.length)) {
    throw new InputError(`the ${name} curve has points of equal PSNR; every point must have a different one`);
  }
  return interpolation === 'cubic' ? fitCubic(psnr, logRate) : fitPchip(psnr, logRate);
}

/** Fits a third-order polynomial by least squares. PSNR is scaled to -1..1 to keep the equations well conditioned. */
function fitCubic(psnr: readonly number[], logRate: readonly number[]): LogRateCurve {
  const low = psnr[0]!;
  const high = psnr.at(-1)!;
  const centre = (low + high) / 2;
  const scale = (high - low) / 2;
  const order = 4;
  const normal = Array.from({ length: order }, () => new Array<number>(order + 1).fill(0));
  for (const [i, db] of psnr.entries()) {
    const powers = [0, 1, 2, 3].map(power => ((db - centre) / scale) ** power);
    for (let row = 0; row < order; row++) {
      for (let column = 0; column < order; column++) normal[row]![column]! += powers[row]! * powers[column]!;
      normal[row]![order]! += powers[row]! * logRate[i]!;
    }
  }
  const coefficients = solve(normal);
  const primitive = (db: number) => {
    const t = (db - centre) / scale;
    return (
      scale * coefficients.reduce((sum, coefficient, power) => sum + (coefficient * t ** (power + 1)) / (power + 1), 0)
    );
  };
  return { low, high, integral: (from, to) => primitive(to) - primitive(from) };
}

/** Solves linear equations by Gaussian elimination with partial pivoting. Overwrites the augmented matrix. */
function solve(rows: number[][]): number[] {
  const order = rows.length;
  for (let column = 0; column < order; column++) {
    let pivot = column;
    for (let row = column + 1; row < order; row++) {
      if (Math.abs(rows[row]![column]!) > Math.abs(rows[pivot]![column]!)) pivot = row;
    }
    [rows[column], rows[pivot]] = [rows[pivot]!, rows[column]!];
    for (let row = 0; row < order; row++) {
      if (row === column) continue;
      const factor = rows[row]![column]! / rows[column]![column]!;
      for (let k = column; k <= order; k++) rows[row]![k]! -= factor * rows[column]![k]!;
    }
  }
  return rows.map((row, i) => row[order]! / row[i]!);
}

/**
 * Piecewise cubic Hermite interpolation. Slopes are weighted harmonic means of the neighbouring secants
 * (Fritsch-Butland).
 */
function fitPchip(psnr: readonly number[], logRate: readonly number[]): LogRateCurve {
  const last = psnr.length - 1;
  const widths = psnr.slice(1).map((db, i) => db - psnr[i]!);
  const secants = widths.map((width, i) => (logRate[i + 1]! - logRate[i]!) / width);
  const slopes = psnr.map((_, i) => {
    if (last === 1) return secants[0]!;
    if (i === 0) return endSlope(widths[0]!, widths[1]!, secants[0]!, secants[1]!);
    if (i === last) return endSlope(widths[last - 1]!, widths[last - 2]!, secants[last - 1]!, secants[last - 2]!);
    const before = secants[i - 1]!;
    const after = secants[i]!;
    if (before * after <= 0) return 0;
    const weightBefore = widths[i - 1]! + 2 * widths[i]!;
    const weightAfter = 2 * widths[i - 1]! + widths[i]!;
    return (weightBefore + weightAfter) / (weightBefore / before + weightAfter / after);
  });
  /** Integral of piece `i` from its start to a fraction 0..1 of its width. */
  const pieceIntegral = (i: number, fraction: number) => {
    const [f2, f3, f4] = [fraction ** 2, fraction ** 3, fraction ** 4];
    return (
      widths[i]! *
      (logRate[i]! * (f4 / 2 - f3 + fraction) +
        widths[i]! * slopes[i]! * (f4 / 4 - (2 * f3) / 3 + f2 / 2) +
        logRate[i + 1]! * (f3 - f4 / 2) +
        widths[i]! * slopes[i + 1]! * (f4 / 4 - f3 / 3))
    );
  };
  const primitive = (db: number) => {
    let sum = 0;
    for (let i = 0; i < last && db > psnr[i]!; i++) sum += pieceIntegral(i, Math.min(1, (db - psnr[i]!) / widths[i]!));
    return sum;
  };
  return { low: psnr[0]!, high: psnr[last]!, integral: (from, to) => primitive(to) - primitive(from) };
}

/** Slope at an end from three points, limited so that the curve stays monotone. */
function endSlope(width: number, nextWidth: number, secant: number, nextSecant: number): number {
  const slope = ((2 * width + nextWidth) * secant - width * nextSecant) / (width + nextWidth);
  if (slope * secant <= 0) return 0;
  if (secant * nextSecant <= 0 && Math.abs(slope) > 3 * Math.abs(secant)) return 3 * secant;
  return slope;
}

function rangeText(curve: LogRateCurve): string {
  return `${curve.low.toFixed(2)}..${curve.high.toFixed(2)} dB`;
}
