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
