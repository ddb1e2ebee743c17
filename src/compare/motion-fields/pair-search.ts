import type { LumaPicture, MotionEstimator, MotionField } from '../../motion/estimator.js';
import type { Frame } from '../../picture/frame.js';
import { type MacroblockGrid, macroblockGrid, pictureFromFrame } from '../../picture/picture.js';
import { checkField } from './field-check.js';

/** Which neighbour a frame is searched in: the one before, as a P picture is coded, or the next, as optical flow runs. */
export type ReferenceSide = 'previous' | 'next';

/** How a sequence is studied. */
export interface MotionSequenceJob {
  readonly frames: AsyncIterable<Frame> | Iterable<Frame>;
  readonly reference: ReferenceSide;
  readonly estimator: MotionEstimator;
  /** A second opinion on the same pairs. */
  readonly against?: MotionEstimator;
}

/** A pair of neighbouring frames with its motion. */
export interface SearchedPair {
  /** Counted from 0, as are the frames. */
  readonly pair: number;
  readonly currentNumber: number;
  readonly referenceNumber: number;
  readonly current: Frame;
  readonly reference: Frame;
  readonly field: MotionField;
  readonly againstField: MotionField | undefined;
  /** Wall time of the search, from question to answer: uploads and the way back are in it. */
  readonly searchMs: number;
}

/** Frames as the warm-up sees them: by these ids nothing that it leaves behind is taken for a picture of the sequence. */
const WARM_UP_IDS = { current: -1, reference: -2 };

/**
 * The motion of each pair of neighbouring frames, one search at a time. The first pair is searched once more before, so
 * that no time contains what an estimator does but once (compiling, allocating). Throws InputError where an answer
 * breaks the contract.
 */
export async function* searchPairs(job: MotionSequenceJob): AsyncGenerator<SearchedPair> {
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
      checkField(field, grid, estimator.traits.name);
      const againstField = await against?.estimate(request);
      if (againstField) checkField(againstField, grid, against!.traits.name);
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
