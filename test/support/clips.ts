import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openFrameSource } from '../../src/media/frames/open-frame-source.js';
import type { Frame } from '../../src/picture/frame.js';

const FOLDER = fileURLToPath(new URL('../../../shared/sequences', import.meta.url));

/** The real clips beside the project, by path; none where there are none. A folder of images is a clip too. */
export function realClips(): { name: string; path: string }[] {
  if (!existsSync(FOLDER)) return [];
  return readdirSync(FOLDER)
    .filter(name => /\.(mkv|264)$|_bmp$/.test(name))
    .sort()
    .map(name => ({ name, path: join(FOLDER, name) }));
}

/** All frames of a clip, or the first `most`. */
export async function readClip(path: string, most?: number): Promise<Frame[]> {
  const source = await openFrameSource(path, most === undefined ? {} : { frames: most });
  const frames: Frame[] = [];
  for await (const frame of source.frames()) frames.push(frame);
  await source.close();
  return frames;
}
