// Temporary folders, and clips and streams that ffmpeg makes.
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { packagedFfmpeg } from './decoders.js';

/** A fresh temporary folder for the calling test file, removed after its tests. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mpegpu-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs the packaged ffmpeg quietly; throws with its words when it fails. */
export function runPackagedFfmpeg(...args: string[]): void {
  execFileSync(packagedFfmpeg(), ['-hide_banner', '-nostdin', '-v', 'error', '-y', ...args], { stdio: 'pipe' });
}

/**
 * For the calling test file or group: inputs are read by the packaged ffmpeg, which takes a tenth of the time of the
 * machine's own to start. For what both read alike: test/media/frames reads with either.
 */
export function readWithPackagedFfmpeg(): void {
  beforeAll(() => {
    const { FFMPEG_PATH: before } = process.env;
    process.env.FFMPEG_PATH = packagedFfmpeg();
    return () => {
      if (before === undefined) delete process.env.FFMPEG_PATH;
      else process.env.FFMPEG_PATH = before;
    };
  });
}

/**
 * Makes a y4m of ffmpeg's moving test picture and an MPEG-1 stream of it (I, P and B pictures) in `folder`; returns
 * both paths. `extension` picks the stream's container.
 */
export function makeTestStream(
  folder: string,
  options: { width: number; height: number; frames: number; extension?: 'm1v' | 'mpg'; q?: number },
): { original: string; stream: string } {
  const { width, height, frames, extension = 'm1v', q = 4 } = options;
  const original = join(folder, `test-${width}x${height}.y4m`);
  const stream = join(folder, `test-${width}x${height}.${extension}`);
  const elementary = join(folder, `test-${width}x${height}.m1v`);
  const picture = `testsrc2=size=${width + 1}x${height + 1}:rate=25,crop=${width}:${height}:0:0:exact=1`;
  runPackagedFfmpeg('-f', 'lavfi', '-i', picture, '-frames:v', String(frames), '-pix_fmt', 'yuv420p', original);
  const coding = ['-c:v', 'mpeg1video', '-q:v', String(q), '-bf', '2', '-g', '8'];
  runPackagedFfmpeg('-i', original, ...coding, '-f', 'mpeg1video', elementary);
  appendFileSync(elementary, SEQUENCE_END_CODE);
  if (extension === 'mpg') runPackagedFfmpeg('-i', elementary, '-c', 'copy', '-f', 'mpeg', stream);
  return { original, stream };
}

/** ffmpeg leaves it out, and mpeg2dec then keeps the last pictures to itself. */
const SEQUENCE_END_CODE = Buffer.from([0, 0, 1, 0xb7]);
