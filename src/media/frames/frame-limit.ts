// Ends a frame source after a number of frames.
import type { Frame } from '../../picture/frame.js';
import type { FrameSource } from './frame-source.js';

/** A source that ends after `maxFrames` frames; the same one if that is undefined. */
export function limitFrames(source: FrameSource, maxFrames: number | undefined): FrameSource {
  if (maxFrames === undefined) return source;
  return {
    ...source,
    ...(source.frameCount !== undefined && { frameCount: Math.min(source.frameCount, maxFrames) }),
    frames: signal => firstFrames(source.frames(signal), maxFrames),
    close: () => source.close(),
  };
}

async function* firstFrames(frames: AsyncIterable<Frame>, maxFrames: number): AsyncGenerator<Frame> {
  let count = 0;
  for await (const frame of frames) {
    yield frame;
    if (++count === maxFrames) return;
  }
}
