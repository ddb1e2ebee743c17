// Frames for tests of black lead-ins, title cards and fades.
import { chromaLength, type Frame } from '../../src/picture/frame.js';

/** A frame of one colour. */
export function uniformFrame({ width, height }: { width: number; height: number }, y: number, u = 128, v = 128): Frame {
  const chroma = chromaLength(width) * chromaLength(height);
  const plane = (length: number, level: number) => new Uint8Array(length).fill(level);
  return { width, height, y: plane(width * height, y), u: plane(chroma, u), v: plane(chroma, v) };
}

/** A frame so many times. */
export function repeated(frame: Frame, count: number): Frame[] {
  return Array.from({ length: count }, () => frame);
}

/** A frame with each pel moved toward black by a part of its distance, 0..1. */
export function fadedToBlack(frame: Frame, part: number): Frame {
  const moved = (plane: Uint8Array, black: number) => plane.map(pel => Math.round(pel + (black - pel) * part));
  return { ...frame, y: moved(frame.y, 16), u: moved(frame.u, 128), v: moved(frame.v, 128) };
}
