// A picture of a comparison's encodes with everything that was measured of it.
import type { CodedMacroblocks } from '../../bitstream/reading/coded-macroblocks.js';
import type { PictureReport } from '../../encoder/report/picture-report.js';
import type { Frame } from '../../picture/frame.js';
import type { SearchedFields } from './searched-fields.js';

/** The figures of a picture. */
export interface MeasuredFigures
  extends Pick<PictureReport, 'frame' | 'type' | 'bits' | 'vectorBits' | 'psnrY' | 'macroblocks'> {
  /** SSIM of luma, up to 1. */
  readonly ssimY: number;
}

/** A coded picture of one estimator's encode. */
export interface MeasuredPicture {
  readonly estimator: string;
  /** The value of the settings. */
  readonly value: number;
  readonly figures: MeasuredFigures;
  readonly source: Frame;
  readonly reconstruction: Frame;
  /** What the stream says of its macroblocks. */
  readonly macroblocks: CodedMacroblocks;
  /** What the estimator answered for it; undefined unless the job asked for that at this setting. */
  readonly searched: SearchedFields | undefined;
}
