// What threads that analyse pictures are asked, and what they answer.
import type { LumaPicture, MotionField, StartField } from '../../../motion/estimator.js';
import type { SearchWork } from '../../motion/motion-search.js';
import type { BestMotion, IntraCosts, MotionCosts, PredictionCosts } from './picture-analyst.js';

/** The motion of a picture from another one, by that one's display number. */
export interface FoundMotion {
  readonly reference: number;
  readonly best: BestMotion;
}

/** The question for what a picture costs, and its motion from the one before it. */
export interface ArrivalQuestion {
  readonly current: LumaPicture;
  /** The picture before; undefined where there is none, and where the motion from it is not needed. */
  readonly before: LumaPicture | undefined;
  /** Its motion from that, if the threads do not search. */
  readonly field: MotionField | undefined;
  /** The picture whose motion from the one before it is the start of the search; undefined: there is no start. */
  readonly startFrom: number | undefined;
  /** That motion, if the threads have not found it. */
  readonly start: StartField | undefined;
}

/** What is found of a picture that has come. */
export interface ArrivalFindings {
  readonly costs: IntraCosts;
  /** Its motion from the picture before, if that was asked for. */
  readonly step: BestMotion | undefined;
}

/** The question for how a picture is predicted from an anchor before it, and each of those that may follow it. */
export interface BetweenQuestion {
  readonly current: LumaPicture;
  /** What was found when it came. */
  readonly arrival: { readonly costs: IntraCosts; readonly step: MotionCosts | undefined };
  readonly past: LumaPicture;
  /** Pictures after it, the nearest first. */
  readonly futures: readonly LumaPicture[];
  /** By the reference's display number, its motion from there as far as that is known. */
  readonly known: ReadonlyMap<number, MotionCosts>;
  /** By the reference's display number, its motion that is not known yet, if the threads do not search. */
  readonly fields: ReadonlyMap<number, MotionField> | undefined;
}

/** What is sent of a motion: the threads need no field. */
export function withoutField({ dx, dy, sad, error, cost }: BestMotion): MotionCosts {
  return { dx, dy, sad, error, cost };
}

/** A prediction from one anchor or two; `future` is the display number of the second. */
export interface FoundPrediction extends PredictionCosts {
  readonly future: number | undefined;
}

/** How a picture is predicted. */
export interface BetweenFindings {
  /** The motion that was not known before. */
  readonly motion: readonly FoundMotion[];
  /** The prediction from the past anchor, and those from it and a future one. */
  readonly predictions: readonly FoundPrediction[];
}

/** Threads that analyse pictures, beside the one that decides. Where they have failed, they answer undefined. */
export interface PictureAnalysis {
  /** Whether the threads search motion, too. */
  readonly searches: boolean;
  /** What has been searched. */
  readonly work: SearchWork;
  /** The smallest display number of a picture that an open question reads; infinite where there is none. */
  readonly oldestRead: number;
  arrival(question: ArrivalQuestion): Promise<ArrivalFindings | undefined>;
  between(question: BetweenQuestion): Promise<BetweenFindings | undefined>;
}
