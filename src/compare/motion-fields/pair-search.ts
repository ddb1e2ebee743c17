// Searches the motion of each pair of neighbouring frames of a sequence.
import type { LumaPicture, MotionEstimator, MotionField } from '../../motion/estimator.js';
import type { Frame } from '../../picture/frame.js';
import { type MacroblockGrid, macroblockGrid, pictureFromFrame } from '../../picture/picture.js';

/** The reference of a frame: the one before, as for a P picture, or the next one, as for optical flow. */
export type ReferenceSide = 'previous' | 'next';

/** What to search. */
interface PairSearchJob {
  readonly frames: AsyncIterable<Frame> | Iterable<Frame>;
  readonly reference: ReferenceSide;
  readonly estimator: MotionEstimator;
  /** A second estimator for the same pairs. */
  readonly against?: MotionEstimator;
}

/** A pair of neighbouring frames with its motion. */
export interface SearchedPair {
  /** Number of the pair, from 0; frames count from 0, too. */
  readonly pair: number;
  readonly currentNumber: number;
  readonly referenceNumber: number;
  readonly current: Frame;
  readonly reference: Frame;
  readonly field: MotionField;
  readonly againstField: MotionField | undefined;
  /** Wall time from request to answer, transfers to and from a GPU included. */
  readonly searchMs: number;
}

/** Picture ids of the warm-up. No picture of the sequence has them, so nothing that an estimator keeps is reused. */
const WARM_UP_IDS = { current: -1, reference: -2 };

/**
 * The motion of each pair of neighbouring frames, one search at a time. The first pair is searched once before,
 * untimed, so that no time includes what an estimator does only once (compiling, allocating).
 */
export async function* searchPairs(job: PairSearchJob): AsyncGenerator<SearchedPair> {
  const { reference: side, estimator, against } = job;
  let before: { frame: Frame; luma: LumaPicture } | undefined;
  let number = 0;
  for await (const frame of job.frames) {
    const grid = macroblockGrid(frame.width, frame.height);
    const now = { frame, luma: lumaOf(frame, number, grid) };
    if (before) {
      const [current, reference] = side === 'previous' ? [now, before] : [before, now];
      const request = { current: current.luma, reference: reference.luma };
      if (number === 1) await warmUp(estimator, request);
      const start = performance.now();
      const field = await estimator.estimate(request);
      const searchMs = performance.now() - start;
      const againstField = await against?.estimate(request);
      yield {
        pair: number - 1,
        currentNumber: current.luma.id,
        referenceNumber: reference.luma.id,
        current: current.frame,
        reference: reference.frame,
        field,
        againstField,
        searchMs,
      };
    }
    before = now;
    number++;
  }
}

function lumaOf(frame: Frame, id: number, grid: MacroblockGrid): LumaPicture {
  return { id, width: grid.codedWidth, height: grid.codedHeight, pels: pictureFromFrame(id, frame, grid).y };
}

async function warmUp(
  estimator: MotionEstimator,
  { current, reference }: { readonly current: LumaPicture; readonly reference: LumaPicture },
): Promise<void> {
  await estimator.estimate({
    current: { ...current, id: WARM_UP_IDS.current },
    reference: { ...reference, id: WARM_UP_IDS.reference },
  });
}
