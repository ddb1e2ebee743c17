// What coding a picture gives: its bytes, and what is reported of it.
import type { WrittenPicture } from '../picture/stream-writer.js';
import type { PictureFigures, ReportedSymbols } from '../report/picture-report.js';

/** A coded picture. */
export interface CodedPicture extends WrittenPicture {
  readonly figures: PictureFigures;
  readonly symbols: ReportedSymbols;
  /** Time that deciding and writing took, in milliseconds. */
  readonly codingMs: number;
  readonly writingMs: number;
}
