import type { FrameRate } from '../../bitstream/tables/frame-rate.js';

/** What a container needs to know of the video stream before its first picture. */
export interface StreamFormat {
  /** One of MPEG-1's eight. */
  readonly frameRate: FrameRate;
  /** Display size in pels. */
  readonly width: number;
  readonly height: number;
}
