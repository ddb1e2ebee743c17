// In which pictures motion is searched.

/** The names of {@link MotionReference}. */
export const MOTION_REFERENCES = ['source', 'reconstructed'] as const;

/** The pictures in which motion is searched: as they were given, or as they are decoded. */
export type MotionReference = (typeof MOTION_REFERENCES)[number];
