// What an analysis thread is started with, what it can be asked, and what it reports.

import type { SearchWork } from '../../motion/motion-search.js';
import type { ProposedField } from '../../motion/vector-proposals.js';
import type { ArrivalQuestion, BetweenQuestion, FoundMotion, FoundPrediction } from '../analysis/picture-analysis.js';
import type { AnalysisOptions, IntraCosts, MotionCosts } from '../analysis/picture-analyst.js';

/** Start data of an analysis thread. */
export interface AnalysisSetup {
  readonly options: AnalysisOptions;
  /** Pictures that a question reads, at most. */
  readonly mostRead: number;
  /** The built-in CPU estimator that the threads search with; undefined where fields are given. */
  readonly searcher: string | undefined;
  /** Where the threads that are asked about arrivals find each other's motion, and how many entries it has. */
  readonly steps: { readonly memory: ArrayBufferLike; readonly entries: number };
}

/** The motion of a picture from another one; the field is undefined if it was given. */
export interface SentMotion extends MotionCosts {
  readonly field: ProposedField | undefined;
}

/** See {@link ArrivalFindings}. */
export interface ArrivalAnswer {
  readonly costs: IntraCosts;
  readonly step: SentMotion | undefined;
}

/** See {@link BetweenFindings}. */
export interface BetweenAnswer {
  readonly motion: readonly (SentMotion & Pick<FoundMotion, 'reference'>)[];
  readonly predictions: readonly FoundPrediction[];
}

/** The tasks of an analysis thread. */
export interface AnalysisTasks {
  /** Makes what the thread works with. */
  open(): Promise<void>;
  arrival(question: ArrivalQuestion): Promise<ArrivalAnswer>;
  between(question: BetweenQuestion): Promise<BetweenAnswer>;
}

/** What an analysis thread reports with each reply: what it has searched. */
export type AnalysisReport = SearchWork;
