// What the lookahead's thread is started with, what it can be asked, and what it reports.
import type { LumaPicture, MotionField } from '../../../motion/estimator.js';
import type { LentCoders } from '../../coders/shared-coders.js';
import type { EstimatorInfo, SearchWork } from '../../motion/motion-search.js';
import type { EncoderSettings } from '../../settings/resolve-options.js';
import type { ForecastPicture } from '../picture-planner.js';

/** The settings of an encode whose estimator is given by its name or its module's path. */
export interface LookaheadSetup extends EncoderSettings {
  readonly estimator: string;
  /** What `askDriversEarly` has given for it. */
  readonly drivers?: SharedArrayBuffer | undefined;
  /** Ports of the analysis threads that the calling thread has started for it, see `LentThreads`. */
  readonly lentPorts?: readonly MessagePort[] | undefined;
  /** The port of the search thread that the calling thread has started for a GPU. */
  readonly lentSearcher?: MessagePort | undefined;
  /** The port that this thread gets beside its work: the calling thread has it filter pictures. */
  readonly filterPort?: MessagePort | undefined;
  /** Coder threads that analyse pictures, too. */
  readonly lentCoders?: LentCoders | undefined;
  /** Whether the thread keeps threads of its own for its next work. */
  readonly keepsThreads?: boolean;
}

/** A picture that has come, see `Planner.plan`. */
export interface ArrivedPicture {
  readonly displayNumber: number;
  /** Where the planes lie, see `pictureOnBuffer`: on shared memory, or a copy. */
  readonly buffer: ArrayBufferLike;
  readonly first: number;
  readonly codedPictures: number;
}

/** An anchor whose factors are asked for, and `MacroblockTree.mean` before it. */
export interface WantedFactors {
  readonly codedNumber: number;
  readonly baseScale: number;
  readonly mean: number | undefined;
}

/** The scale factors of an anchor, and `MacroblockTree.mean` after them. */
export interface AnchorFactors {
  readonly scaleFactors: Float64Array;
  readonly mean: number;
}

/** A planned picture on its way to the coder. */
export interface SentPicture extends Pick<ForecastPicture, 'plan' | 'fields' | 'around' | 'typed'> {
  /**
   * The factors of its weights. 'on request': an anchor's, which depend on what is coded before; 'unweighted': a B
   * picture's, which follow from the mean after its anchors; undefined: all are 1.
   */
  readonly factors: AnchorFactors | 'on request' | 'unweighted' | undefined;
}

/** The tasks of the lookahead's thread. */
export interface LookaheadTasks {
  /** Resolves when the estimator is made. */
  ready(): Promise<EstimatorInfo>;
  plan(picture: ArrivedPicture): Promise<SentPicture[]>;
  end(): Promise<SentPicture[]>;
  /** The factors of a planned anchor that is not coded yet. */
  factors(anchor: WantedFactors): Promise<AnchorFactors>;
  search(given: { readonly current: LumaPicture; readonly reference: LumaPicture }): Promise<MotionField>;
  /** The encode has failed: an estimator that is still being made is given up, where that is safe. */
  giveUp(): Promise<void>;
  /** Closes the estimator as soon as it is made, if it is. Resolves with whether no thread that was lent has a task. */
  close(): Promise<boolean>;
}

/** What the lookahead's thread reports with each reply. */
export interface LookaheadReport {
  /** What is searched on, which may change: a GPU can be lost. Undefined until the estimator is made. */
  readonly device: string | undefined;
  readonly work: SearchWork;
  /** Warnings since the last reply. */
  readonly warnings: readonly string[];
  /** No picture with a smaller display number is read any more. */
  readonly oldestRead: number;
}
