// The real clips beside the project: shared/sequences in the folder that holds the checkout.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openFrameSource } from '../../src/media/frames/open-frame-source.js';
import type { Frame } from '../../src/picture/frame.js';

/** Where the clips are. */
export const CLIPS_FOLDER = fileURLToPath(new URL('../../../shared/sequences', import.meta.url));

/** A real clip: a video file or a folder of images. */
export interface Clip {
  readonly name: string;
  readonly path: string;
}

/** The real clips by name; none where there are none. */
export function realClips(): Clip[] {
  if (!existsSync(CLIPS_FOLDER)) return [];
  return readdirSync(CLIPS_FOLDER)
    .filter(name => /\.(mkv|264)$|_bmp$/.test(name))
    .sort()
    .map(name => ({ name, path: join(CLIPS_FOLDER, name) }));
}

/** How many frames of a size are wanted. */
type CountOfSize = (width: number, height: number) => number;

/** All frames of a clip, or the first `max`, which may depend on their size. */
export async function readClip(path: string, max: number | CountOfSize = Number.POSITIVE_INFINITY): Promise<Frame[]> {
  const source = await openFrameSource(path, Number.isFinite(max) ? { frames: max as number } : {});
  const count = typeof max === 'number' ? max : max(source.width, source.height);
  const frames: Frame[] = [];
  for await (const frame of source.frames()) if (frames.push(frame) >= count) break;
  await source.close();
  return frames;
}

/** The same of the middle of a clip: real pictures, coded in less time. */
export async function readMiddle(path: string, max: number, size: { width: number; height: number }): Promise<Frame[]> {
  return (await readClip(path, max)).map(frame => middleOf(frame, size));
}

/** The middle of a frame, whose sides are even. */
function middleOf(frame: Frame, { width, height }: { width: number; height: number }): Frame {
  const crop = (plane: Uint8Array, columns: number, rows: number, across: number, down: number) => {
    const left = (columns - across) >> 1;
    const top = (rows - down) >> 1;
    const middle = new Uint8Array(across * down);
    for (let y = 0; y < down; y++) {
      const start = (top + y) * columns + left;
      middle.set(plane.subarray(start, start + across), y * across);
    }
    return middle;
  };
  const chroma = [frame.width >> 1, frame.height >> 1, width >> 1, height >> 1] as const;
  const y = crop(frame.y, frame.width, frame.height, width, height);
  return { width, height, y, u: crop(frame.u, ...chroma), v: crop(frame.v, ...chroma) };
}
