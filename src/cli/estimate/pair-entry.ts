// The figures of a pair of frames, for the JSON report, the summary and the table.
import type { FrameDifference } from '../../compare/motion-fields/pair-study.js';
import { finitePsnr } from '../../encode-files/psnr-text.js';
import type { TruthReport } from './estimate-truth.js';

/** The figures of a pair, or of all pairs: then the time is the median, and the differences are means. */
export interface MotionSummary {
  /** Blocks that are not wholly in the padding. */
  readonly blocks: number;
  /** Time of the search alone. */
  readonly searchMs: number;
  /** Blocks with the same vector as the second estimator; undefined without one. */
  readonly equalBlocks: number | undefined;
  readonly before: FrameDifference;
  readonly after: FrameDifference;
}

/** One pair of the study. Frames are counted from 0. */
export interface PairEntry extends MotionSummary, TruthReport {
  readonly frame: number;
  readonly referenceFrame: number;
}

/** What is shown of a summary. The names are also those in the JSON. */
export interface SummaryFigures {
  readonly blocks: number;
  readonly msPerPair: number;
  /** Share 0..1 of the blocks with the same vector as the second estimator; null without one. */
  readonly agreement: number | null;
  readonly sadBefore: number;
  readonly sadAfter: number;
  /** In dB; 100 for equal frames. */
  readonly psnrBefore: number;
  readonly psnrAfter: number;
}

/** The figures of all planes together, or with `gray` of luma. */
export function summaryFigures(summary: MotionSummary, gray: boolean): SummaryFigures {
  const { blocks, searchMs, equalBlocks, before, after } = summary;
  const plane = gray ? 'y' : 'all';
  return {
    blocks,
    msPerPair: searchMs,
    agreement: equalBlocks === undefined ? null : equalBlocks / blocks,
    sadBefore: before.sad[plane],
    sadAfter: after.sad[plane],
    psnrBefore: finitePsnr(before.psnr[plane]),
    psnrAfter: finitePsnr(after.psnr[plane]),
  };
}
