// Takes the place of filtering-ahead.ts in what browsers load: the thread of a GPU filters no pictures there.

/** See filtering-ahead.ts. */
export function filterAhead(): undefined {}
