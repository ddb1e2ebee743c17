// How long pictures may wait for others.

/** The names of {@link LatencyName}. */
export const LATENCIES = ['normal', 'low'] as const;

/** Whether pictures may wait for later ones: 'low' is for live pictures. */
export type LatencyName = (typeof LATENCIES)[number];

/** The names of {@link IntraRefreshName}. */
export const INTRA_REFRESHES = ['none', 'columns'] as const;

/** What is intra from time to time: I pictures alone, or columns of macroblocks. */
export type IntraRefreshName = (typeof INTRA_REFRESHES)[number];
