// Fits a polynomial of third order to points.
import type { Curve } from './curve.js';

/** Coefficients of a polynomial of third order. */
const COEFFICIENTS = 4;

/**
 * The polynomial of third order that is nearest to the points (`x[i]`, `y[i]`) by least squares; exact for four points.
 * `x` rises, with four different values or more. It is scaled to -1..1 to keep the equations well conditioned.
 */
export function fitCubic(x: readonly number[], y: readonly number[]): Curve {
  const low = x[0]!;
  const high = x.at(-1)!;
  const centre = (low + high) / 2;
  const scale = (high - low) / 2;
  const normal = Array.from({ length: COEFFICIENTS }, () => new Array<number>(COEFFICIENTS + 1).fill(0));
  for (const [i, at] of x.entries()) {
    const powers = [0, 1, 2, 3].map(power => ((at - centre) / scale) ** power);
    for (let row = 0; row < COEFFICIENTS; row++) {
      for (let column = 0; column < COEFFICIENTS; column++) normal[row]![column]! += powers[row]! * powers[column]!;
      normal[row]![COEFFICIENTS]! += powers[row]! * y[i]!;
    }
  }
  const coefficients = solve(normal);
  const primitive = (at: number) => {
    const t = (at - centre) / scale;
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
