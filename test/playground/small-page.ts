// A page of the playground that costs little, for tests of what it says and does.

/** Options of a page: what is small and plays nothing has little to draw. */
export const SMALL_AND_STILL = { viewport: { width: 320, height: 320 }, reducedMotion: 'reduce' } as const;

/** The smallest pictures and the fastest search, with one thread: each thread of each encode loads the kernels anew. */
export const CHEAPEST = '?source=sample%3Asnow&preset=fastest&size=176&estimator=cpu-predictive&threads=1';

/** The same, and it encodes nothing at first: its film needs a GPU, which a page has only where a test asks for one. */
export const IDLE = CHEAPEST.replace('snow', 'snow-wind');
