// Makes a macroblock intra before the drift between two legal inverse DCTs adds up.

/** How many times in a row a macroblock may be predicted: one of 132 codings must be intra; ISO/IEC 11172-2 §2.4.1. */
export const MAX_PREDICTED = 131;
/** From this many predictions on, a macroblock is refreshed when its turn comes, so that few are due in one picture. */
export const EARLIEST_REFRESH = 100;
/** A macroblock has its turn in one of so many anchors: from 100 predictions on, all have had it after 131. */
export const TURN_PICTURES = 31;
/** Steps between the turns of neighbours: the macroblocks that are refreshed in one picture lie apart. */
export const TURN_STEP = 13;

/**
 * Whether macroblock `address` has to be intra in the P picture that follows `anchorNumber` anchors in coded order.
 * Each anchor has its counts beside it: `predictions` are those of the macroblock in the past one, since it was intra.
 * One macroblock in TURN_PICTURES has its turn in a picture.
 */
export function isRefreshDue(predictions: number, address: number, anchorNumber: number): boolean {
  if (predictions >= MAX_PREDICTED) return true;
  return predictions >= EARLIEST_REFRESH && (address * TURN_STEP + anchorNumber) % TURN_PICTURES === 0;
}
