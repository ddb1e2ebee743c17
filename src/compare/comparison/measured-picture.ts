// A picture of a comparison's encodes with everything that was measured of it.
import type { PictureReport, VectorReport } from '../../encoder/report/picture-report.js';
import type { Frame } from '../../picture/frame.js';

/** The figures of a picture. */
export type PictureFigures = Pick<PictureReport, 'frame' | 'type' | 'bits' | 'vectorBits' | 'psnrY' | 'macroblocks'>;

/** A coded picture of one estimator's encode. */
export interface MeasuredPicture {
  readonly estimator: string;
  readonly q: number;
  readonly figures: PictureFigures;
  readonly source: Frame;
  readonly reconstruction: Frame;
  readonly vectors: VectorReport;
  /** See `PictureReport.macroblockTypes`. */
  readonly macroblockTypes: Uint8Array;
}
