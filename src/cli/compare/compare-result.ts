// What `compare` has found, for its tables, its JSON and its report.
import type { Comparison } from '../../compare/comparison/compare-estimators.js';
import type { ComparedEncoderOptions } from '../../compare/comparison/job.js';
import type { ReportOrigin } from '../../compare/report/report-origin.js';

/** The outcome of a comparison. */
export interface CompareResult {
  readonly input: string;
  readonly comparison: Comparison;
  readonly encoder: ComparedEncoderOptions;
  readonly origin: ReportOrigin;
  /** Name of the report; undefined if none was asked for, or if nothing was measured. */
  readonly report: string | undefined;
  /** Name of the table of pictures, likewise. */
  readonly csv: string | undefined;
}
