// Takes the frame of a picture out of planes of whole macroblocks.
import type { Frame } from '../../../src/picture/frame.js';
import type { SnowScene } from '../scene.js';

/** The frame: views of `planes` where these are as wide as the picture, else copies. */
export function frameOfPlanes(scene: SnowScene, planes: Uint8Array): Frame {
  const { width, height, codedWidth, codedHeight } = scene;
  const luma = codedWidth * codedHeight;
  const [chromaWidth, chromaHeight] = [(width + 1) >> 1, (height + 1) >> 1];
  const chroma = (start: number) =>
    cropped(planes.subarray(start, start + luma / 4), codedWidth / 2, chromaWidth, chromaHeight);
  return {
    width,
    height,
    y: cropped(planes.subarray(0, luma), codedWidth, width, height),
    u: chroma(luma),
    v: chroma(luma + luma / 4),
  };
}

function cropped(plane: Uint8Array, pitch: number, width: number, height: number): Uint8Array {
  if (pitch === width) return plane.subarray(0, width * height);
  const pels = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) pels.set(plane.subarray(y * pitch, y * pitch + width), y * width);
  return pels;
}
