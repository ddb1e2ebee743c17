// The endless sequence of moving pictures that the soak encodes.
import { generateSample } from '../dist/samples/generate.js';

/** A scene of each kind; hard cuts lie between them. */
const KINDS = ['pan-subpel', 'zoom', 'snow', 'rotation'];
const SCENE_FRAMES = 48;

/** A function that gives the frame of any number. The scenes come again and again; a frame must not be changed. */
export function soakPictures(width, height) {
  const scenes = KINDS.flatMap((kind, seed) => [
    ...generateSample({ kind, width, height, frames: SCENE_FRAMES, seed: seed + 1 }),
  ]);
  return number => scenes[number % scenes.length];
}
