// The real clips beside the project: shared/sequences in the folder that holds the checkout.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'vitest';
import { openFrameSource } from '../../src/media/frames/frame-source.js';
import type { Frame } from '../../src/picture/frame.js';

const FOLDER = fileURLToPath(new URL('../../../shared/sequences', import.meta.url));

/** A real clip: a video file or a folder of images. */
export interface Clip {
  readonly name: string;
  readonly path: string;
}

/** The real clips by name; none where there are none. */
export function realClips(): Clip[] {
  if (!existsSync(FOLDER)) return [];
  return readdirSync(FOLDER)
    .filter(name => /\.(mkv|264)$|_bmp$/.test(name))
    .sort()
    .map(name => ({ name, path: join(FOLDER, name) }));
}

/** Why tests on real clips cannot run here, or undefined when they can. */
export function clipsMissing(): string | undefined {
  return realClips().length === 0 ? `no clips in ${FOLDER}` : undefined;
}

/**
 * `describe` for tests that need real clips. Where there are none they are skipped and the title says why; with
 * MPEGPU_REQUIRE_CLIPS=1 in the environment they fail instead.
 */
export function describeWithClips(title: string, tests: (clips: Clip[]) => void): void {
  const missing = clipsMissing();
  if (missing === undefined) {
    describe(title, () => tests(realClips()));
  } else if (process.env.MPEGPU_REQUIRE_CLIPS === '1') {
    it(title, () => {
      throw new Error(`${missing}, but MPEGPU_REQUIRE_CLIPS=1 demands them`);
    });
  } else {
    it.skip(`${title} [skipped: ${missing}]`, () => {});
  }
}

/** All frames of a clip, or the first `max`. */
export async function readClip(path: string, max?: number): Promise<Frame[]> {
  const source = await openFrameSource(path, max === undefined ? {} : { frames: max });
  const frames: Frame[] = [];
  for await (const frame of source.frames()) frames.push(frame);
  await source.close();
  return frames;
}
