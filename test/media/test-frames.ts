// Frames for tests of the readers and writers.
import { type Frame, frameFromI420, i420Bytes } from '../../src/picture/frame.js';

/** A frame whose every byte follows from its place and `seed`, so that no two frames, planes or rows are alike. */
export function patternFrame(width: number, height: number, seed: number): Frame {
  const bytes = new Uint8Array(i420Bytes(width, height));
  let state = (seed + 1) * 2654435761;
  for (let i = 0; i < bytes.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bytes[i] = state >>> 24;
  }
  return frameFromI420(width, height, bytes);
}

/** A source's frames, all of them. */
export async function allFrames(source: { frames(): AsyncIterable<Frame> }): Promise<Frame[]> {
  const frames: Frame[] = [];
  for await (const frame of source.frames()) frames.push(frame);
  return frames;
}

/** The bytes of a 4:2:0 frame, as they stand in a file. */
export function i420Of(frame: Frame): Buffer {
  return Buffer.concat([frame.y, frame.u, frame.v]);
}
