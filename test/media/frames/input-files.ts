// The same frames as inputs of several kinds.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateSample } from '../../../samples/generate.js';
import { writePngFolder, writeY4m } from '../../../samples/write-frames.js';

/** Of the frames of `writeInputs`. */
export const INPUT_SIZE = { width: 64, height: 48 };

/** Writes so many frames into a folder: as y4m at 25 frames per second, as a folder of images, and as raw video. */
export async function writeInputs(
  folder: string,
  count: number,
): Promise<{ y4m: string; images: string; raw: string }> {
  const frames = [...generateSample({ kind: 'zoom', ...INPUT_SIZE, frames: count, seed: 3 })];
  const [y4m, images, raw] = ['clip.y4m', 'images', 'clip.yuv'].map(name => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await writeY4m(y4m, frames, 25, () => {});
  mkdirSync(images);
  await writePngFolder(images, frames, () => {});
  writeFileSync(raw, Buffer.concat(frames.flatMap(({ y, u, v }) => [y, u, v])));
  return { y4m, images, raw };
}
