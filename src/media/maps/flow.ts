// Dense optical flow, whatever the file that it comes from.

/** Dense optical flow: how far each pel of a frame moved, in raster order. */
export interface Flow {
  /** In pels. */
  readonly width: number;
  readonly height: number;
  /** Horizontal displacement in pels, + is right. {@link isKnownFlow} says which pels count. */
  readonly u: Float32Array;
  /** Vertical displacement in pels, + is down. */
  readonly v: Float32Array;
}

/** A component beyond this means that the motion of the pel is unknown. */
const MAX_KNOWN_FLOW = 1e9;
/** Both components of a pel whose motion is unknown, as Middlebury's files have it. */
export const UNKNOWN_FLOW = 1e10;

/** Whether the motion of a pel with these components is known. */
export function isKnownFlow(u: number, v: number): boolean {
  return Math.abs(u) <= MAX_KNOWN_FLOW && Math.abs(v) <= MAX_KNOWN_FLOW;
}
