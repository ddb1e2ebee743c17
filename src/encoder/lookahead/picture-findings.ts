// What the lookahead keeps of a source picture until none is predicted from it any more.
import type { Picture } from '../../picture/picture.js';
import type { ArrivalFindings, BetweenFindings } from './analysis/picture-analysis.js';
import type { BestMotion, IntraCosts, PicturePrediction } from './analysis/picture-analyst.js';
import type { SourcePlane } from './analysis/source-costs.js';

/** A picture of the lookahead. */
export interface LookaheadPicture extends IntraCosts {
  readonly displayNumber: number;
}

/** A prediction, and the display numbers of the anchors that it comes from. */
interface KnownPrediction {
  readonly past: number;
  readonly future: number | undefined;
  readonly prediction: PicturePrediction;
}

/** What has been found of a picture so far. */
export interface Findings {
  readonly source: Picture;
  /** Its pels in kernel memory, once they are needed. */
  plane: SourcePlane | undefined;
  picture: LookaheadPicture | undefined;
  /** By the display number of the picture that the motion comes from. */
  readonly motion: Map<number, BestMotion>;
  predictions: KnownPrediction[];
  /** What other threads find as it comes. */
  arrival: Promise<ArrivalFindings | undefined> | undefined;
  /** By the display number of a past anchor: settles when what other threads find of predictions from it is known. */
  readonly between: Map<number, Promise<void>>;
  /** The pictures from which its motion was given to other threads, by their display numbers. */
  readonly given: Set<number>;
  /** Resolves when the questions about it that were asked so far are answered. */
  turn: Promise<unknown>;
}

/** Nothing is known of a picture but its pels. */
export function newFindings(source: Picture): Findings {
  return {
    source,
    plane: undefined,
    picture: undefined,
    motion: new Map(),
    predictions: [],
    arrival: undefined,
    between: new Map(),
    given: new Set([source.id - 1]),
    turn: Promise.resolve(),
  };
}

/** Keeps what other threads have found of a picture, whose costs as intra are known. */
export function keepFindings(
  { motion, predictions }: Findings,
  past: number,
  { intra }: IntraCosts,
  found: BetweenFindings,
) {
  for (const { reference, best } of found.motion) motion.set(reference, best);
  const forward = motion.get(past);
  for (const { future, sad, noise } of found.predictions) {
    const backward = future === undefined ? undefined : motion.get(future);
    if (!forward || (future !== undefined && !backward)) continue;
    const prediction = { intra, sad, noise, motion: backward ? [forward, backward] : [forward] };
    predictions.push({ past, future, prediction });
  }
}
