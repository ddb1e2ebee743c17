/** The largest resident size of this process since its program began, in bytes. */
export function ownPeakBytes(): number;
