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

/** All frames of a clip, or the first `max`. */
export async function readClip(path: string, max?: number): Promise<Frame[]> {
  const source = await openFrameSource(path, max === undefined ? {} : { frames: max });
  const frames: Frame[] = [];
  for await (const frame of source.frames()) frames.push(frame);
  await source.close();
  return frames;
}
