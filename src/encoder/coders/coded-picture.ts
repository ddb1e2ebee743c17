// What coding a picture gives: its bytes, and what is reported of it.
import type { Frame } from '../../picture/frame.js';
import type { WrittenPicture } from '../picture/stream-writer.js';
import type { CodedRows } from '../rate-control/picture-budget.js';
import type { PictureFigures, ReportedSymbols } from '../report/picture-report.js';

/** A coded picture. */
export interface CodedPicture extends WrittenPicture {
  readonly figures: PictureFigures;
  readonly symbols: ReportedSymbols;
  /** What the rows took; of a picture with a budget. */
  readonly rows: CodedRows | undefined;
  /** A copy of the reconstruction of a B picture, if it is wanted: its room is used again. */
  readonly reconstruction: Frame | undefined;
  /** See `StageTimes`. */
  readonly codingMs: number;
  readonly writingMs: number;
}
