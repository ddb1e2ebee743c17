// Names and colours of the compared estimators in the report.
import type { Comparison } from '../comparison/compare-estimators.js';
import type { EstimatorRow } from '../comparison/rows.js';

/** Number of colours in the style sheet. */
const COLOURS = 8;

/** An estimator's row with its colour. */
export interface ColouredRow {
  readonly row: EstimatorRow;
  readonly colour: string;
}

/** The colour of the estimator in row `index` of the comparison, as CSS. */
export function seriesColour(index: number): string {
  return `var(--series-${index % COLOURS})`;
}

/** The rows of a comparison with their colours. */
export function colouredRows({ rows }: Comparison): ColouredRow[] {
  return rows.map((row, index) => ({ row, colour: seriesColour(index) }));
}

/** An estimator's name; the file name of a module path. */
export function shortName(estimator: string): string {
  return estimator.split(/[\\/]/).at(-1)!;
}
