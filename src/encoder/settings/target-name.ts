// The players that a stream can be made for.

/** The names of {@link TargetName}. */
export const TARGET_NAMES = ['vcd', 'jsmpeg'] as const;

/** The players that a stream can be made for: of Video CD, and JSMpeg. */
export type TargetName = (typeof TARGET_NAMES)[number];
