// The delay of the feedback: from how many of the pictures right before a picture its budget does not follow.

/**
 * The budget of a picture follows from those that are coded at least so many places before it; the ones between, which
 * may be under way in other threads, are taken to keep to their targets. In two passes the delay is greater, since the
 * stream of the first is dropped and the second knows what to expect.
 */
const FEEDBACK_DELAY = 24;
const FEEDBACK_DELAY_OF_FIRST_PASS = 32;
const FEEDBACK_DELAY_OF_SECOND_PASS = 48;
/**
 * With a decoder's buffer, which has to hold all that the pictures under way may take: an anchor and the B pictures
 * before it. docs/decisions/threads-at-a-bit-rate.md has what it costs.
 */
const BUFFERED_FEEDBACK_DELAY = 3;
/**
 * In one pass, the delay is at most this part of the number of pictures before, or so great that `MIN_COUNTED` of them
 * are counted: at first little is known. With a part of 0.25 alone, rates of 60 pictures were up to 5.6 % off. In two
 * passes it is as great as there are pictures before: that changes the errors of 30 rates by 0.02 % in the mean.
 */
const DELAY_PART = 0.1;
const MIN_COUNTED = 24;
/**
 * It is also at most this part of the number of those left, which make up for what is found late, or this part of all:
 * what so few miss together changes the rate of the stream by less. A first pass need not keep to its rate to the end.
 */
const DELAY_PART_OF_LEFT = 0.25;
const DELAY_PART_OF_ALL = 0.01;

/** What the delay depends on. */
export interface FeedbackKind {
  /** Which of two passes this is; 0 where there is one. */
  readonly pass: 0 | 1 | 2;
  readonly hasBuffer: boolean;
}

/** The delay in the middle of a long encode, in pictures. */
export function fullFeedbackDelay({ pass, hasBuffer }: FeedbackKind): number {
  if (hasBuffer) return BUFFERED_FEEDBACK_DELAY;
  if (pass === 0) return FEEDBACK_DELAY;
  return pass === 1 ? FEEDBACK_DELAY_OF_FIRST_PASS : FEEDBACK_DELAY_OF_SECOND_PASS;
}

/** The delay for a picture after `before` others with `left` to come, in pictures. */
export function feedbackDelay(before: number, left: number, kind: FeedbackKind): number {
  const known = kind.pass === 0 ? Math.max(DELAY_PART * before, before - MIN_COUNTED) : before;
  const most = Math.floor(Math.min(fullFeedbackDelay(kind), known));
  if (kind.pass === 1) return most;
  return Math.floor(Math.min(most, Math.max(DELAY_PART_OF_LEFT * left, DELAY_PART_OF_ALL * (before + left))));
}
