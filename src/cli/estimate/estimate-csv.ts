// Writes the figures of the pairs as a table of comma-separated values.
import { type Cell, csvLine } from '../csv.js';
import { type PairEntry, type SummaryFigures, summaryFigures } from './pair-entry.js';

/** A pair and its figures of the planes that count. */
interface PairRow {
  readonly entry: PairEntry;
  readonly figures: SummaryFigures;
}

const COLUMNS: Readonly<Record<string, (row: PairRow) => Cell>> = {
  frame: ({ entry }) => entry.frame,
  reference_frame: ({ entry }) => entry.referenceFrame,
  blocks: ({ figures }) => figures.blocks,
  search_ms: ({ figures }) => figures.msPerPair,
  agreement_share: ({ figures }) => figures.agreement ?? undefined,
  sad_before: ({ figures }) => figures.sadBefore,
  sad_after: ({ figures }) => figures.sadAfter,
  psnr_before_db: ({ figures }) => figures.psnrBefore,
  psnr_after_db: ({ figures }) => figures.psnrAfter,
  endpoint_error_mean_pels: ({ entry }) => entry.endpointError?.mean,
  endpoint_error_median_pels: ({ entry }) => entry.endpointError?.median,
  endpoint_error_above_1_pel_share: ({ entry }) => entry.endpointError?.above1,
  endpoint_error_above_3_pels_share: ({ entry }) => entry.endpointError?.above3,
  endpoint_error_fl_all_share: ({ entry }) => entry.endpointError?.flAll,
  disparity_above_1_pel_share: ({ entry }) => entry.badPixels?.above1,
  disparity_above_2_pels_share: ({ entry }) => entry.badPixels?.above2,
  disparity_mean_error_pels: ({ entry }) => entry.badPixels?.meanError,
};

/** The first line of the table: names with units. */
export const PAIRS_CSV_HEADER = csvLine(Object.keys(COLUMNS));

/** The line of a pair. What was not measured leaves its cell empty: only the first pair has a truth. */
export function pairCsvLine(entry: PairEntry, gray: boolean): string {
  const row = { entry, figures: summaryFigures(entry, gray) };
  return csvLine(Object.values(COLUMNS).map(column => column(row)));
}
