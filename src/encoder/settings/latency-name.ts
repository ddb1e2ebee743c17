// How long pictures may wait for others.

/** The names of {@link LatencyName}. */
export const LATENCIES = ['normal', 'low'] as const;

/** Whether pictures may wait for later ones: 'low' is for live pictures. */
export type LatencyName = (typeof LATENCIES)[number];
