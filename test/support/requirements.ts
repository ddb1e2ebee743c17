// Programs and clips that some tests need: where one is missing, those tests are skipped and say so, or they fail.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, it } from 'vitest';
import { CLIPS_FOLDER, realClips } from './clips.js';
import { onPath } from './programs.js';

/** Why each of them cannot be used here; undefined where it can. */
const REASONS = {
  mpeg2dec: () => missingProgram('mpeg2dec', 'mpeg2dec'),
  mplex: () => missingProgram('mplex', 'mjpegtools'),
  vcdimager: () => missingProgram('vcdimager', 'vcdimager'),
  ffmpeg: () => missingProgram('ffmpeg', 'ffmpeg'),
  libvmaf: missingLibvmaf,
  ffprobe: () => missingProgram('ffprobe', 'ffmpeg'),
  redis: () => missingProgram('redis-server', 'redis-server'),
  chromium: () => (existsSync(CHROMIUM) ? undefined : `${CHROMIUM} is missing (Debian: 'chromium-headless-shell')`),
  clips: () => (realClips().length > 0 ? undefined : `there are no clips in ${CLIPS_FOLDER}`),
} satisfies Record<string, () => string | undefined>;

/** Something that some tests need. `ffmpeg` is the machine's own, beside the packaged one. */
export type Requirement = keyof typeof REASONS;

/** All of them. */
export const REQUIREMENTS = Object.keys(REASONS) as readonly Requirement[];

/**
 * Where Debian's packages put it; MPEGPU_CHROMIUM names another. The headless shell is the same browser without a user
 * interface: it starts in 0.7 s of processor time, and `chromium --headless` in 1.9 s.
 */
export const CHROMIUM =
  process.env.MPEGPU_CHROMIUM ??
  ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(existsSync) ??
  'chromium';

/** Why `requirement` cannot be used here, or undefined when it can. */
export const reasonMissing = (requirement: Requirement): string | undefined => REASONS[requirement]();

/** Whether the environment demands it: MPEGPU_REQUIRE holds names of requirements with spaces between them. */
export const isDemanded = (requirement: Requirement): boolean =>
  (process.env.MPEGPU_REQUIRE ?? '').split(/\s+/).includes(requirement);

/**
 * `describe` for tests that need something. Where it is missing they are skipped and the title says why; where it is
 * demanded as well, they fail.
 */
export function describeWith(requirement: Requirement, title: string, tests: () => void): void {
  const reason = reasonMissing(requirement);
  if (reason === undefined) {
    describe(title, tests);
  } else if (isDemanded(requirement)) {
    it(title, () => {
      throw new Error(`${reason}, but MPEGPU_REQUIRE demands it`);
    });
  } else {
    it.skip(`${title} [skipped: ${reason}]`, () => {});
  }
}

/** `describe` for tests that need mpeg2dec. */
export const describeWithMpeg2dec = (title: string, tests: () => void): void => describeWith('mpeg2dec', title, tests);

/** The ffmpeg that the project would use may be of a distribution that leaves libvmaf out. */
function missingLibvmaf(): string | undefined {
  const ffmpeg = process.env.FFMPEG_PATH ?? onPath('ffmpeg');
  if (ffmpeg === undefined) return 'there is no ffmpeg of this machine';
  const filters = execFileSync(ffmpeg, ['-hide_banner', '-filters'], { encoding: 'utf8', stdio: 'pipe' });
  return filters.includes('libvmaf') ? undefined : `${ffmpeg} was built without libvmaf`;
}

function missingProgram(program: string, debianPackage: string): string | undefined {
  return onPath(program) === undefined ? `${program} is not on PATH (Debian: package '${debianPackage}')` : undefined;
}
