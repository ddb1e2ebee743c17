// The choice of the sound: where there is none and why, and while the run is being stopped. Ctrl-C ends ffmpeg, too.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { chooseSound, type SoundPlace, soundRequest } from '../../src/encode-files/encode-sound.js';
import { asProperty } from '../../src/errors.js';
import { packagedFfmpeg } from '../support/decoders.js';
import { readWithPackagedFfmpeg, runPackagedFfmpeg, temporaryFolder } from '../support/ffmpeg-clips.js';

const folder = temporaryFolder();
readWithPackagedFfmpeg();
const path = join(folder, 'notes.txt');
writeFileSync(path, 'no sound\n');

const INTERRUPTED = { name: 'Interrupted', message: 'interrupted while the sound was opened: nothing was kept' };

it.each([
  ['a file that is named', path, { name: 'InputError', message: expect.stringMatching(/^audio .*notes\.txt/) }],
  ['the input', 'auto', undefined],
] as const)('of %s: its failure after a signal is the interruption', async (_, audio, failure) => {
  const notes: string[] = [];
  const choose = (stop: AbortSignal) => {
    const request = soundRequest({ audio, output: 'out.mpg' }, { onNote: note => notes.push(note), named: asProperty });
    return chooseSound(request, { input: path, soundTracks: 1, output: 'out.mpg' }, { stop, abort: stop });
  };
  if (failure) await expect(choose(new AbortController().signal)).rejects.toMatchObject(failure);
  else expect(await choose(new AbortController().signal)).toMatchObject({ reason: expect.stringMatching(/cannot be/) });
  expect(notes).toHaveLength(failure ? 0 : 1);
  await expect(choose(AbortSignal.abort())).rejects.toMatchObject(INTERRUPTED);
  expect(notes).toHaveLength(failure ? 0 : 1);
});

/** Chooses the sound for an output. */
async function choose(
  audio: string,
  place: Partial<SoundPlace>,
  stop = new AbortController().signal,
  abort = new AbortController(),
) {
  const notes: string[] = [];
  const output = place.output ?? 'out.mpg';
  const request = soundRequest({ audio, output }, { onNote: note => void notes.push(note), named: asProperty });
  const chosen = await chooseSound(request, { input: path, ...place, output }, { stop, abort: abort.signal });
  return { chosen, notes, abort };
}

const NONE = 'the input has no sound';
const BARE = 'out.m1v takes the bare video stream, which has no place for sound';
const gone = join(folder, 'gone.mkv');
const pipe = join(folder, 'pipe.mkv');
mkdirSync(join(folder, 'pictures.mkv'));
if (process.platform !== 'win32') execFileSync('mkfifo', [pipe]);

it.each<[what: string, place: Partial<SoundPlace>, reason: string, isLoss: boolean]>([
  ['standard input', { input: '-' }, NONE, false],
  ['y4m', { input: 'in.Y4M' }, NONE, false],
  ['an image', { input: join(folder, 'gone.png') }, NONE, false],
  ['a folder', { input: join(folder, 'pictures.mkv') }, NONE, false],
  ['a pattern', { input: join(folder, 'picture-%d.xyz') }, NONE, false],
  ['no ending', { input: join(folder, 'gone') }, NONE, false],
  ['no tracks', { soundTracks: 0 }, NONE, false],
  ['an unknown input', { input: undefined }, 'the plan names no input; audio names a file', false],
  ['an input that is away', { input: gone }, `the input ${gone} is not here; audio names a file`, true],
  ['a bare stream of a video with sound', { soundTracks: 1, output: 'out.m1v' }, BARE, true],
  ['a bare stream of another video', { output: 'out.m1v' }, NONE, false],
  ...(process.platform === 'win32'
    ? []
    : ([undefined, 1] as const).map((soundTracks): [string, Partial<SoundPlace>, string, boolean] => [
        `a pipe with ${soundTracks} tracks`,
        { input: pipe, soundTracks },
        `${pipe} is a pipe, which is read once; audio names a file`,
        soundTracks === 1,
      ])),
])('of %s there is none, which is said where sound is lost', async (_, place, reason, isLoss) => {
  const said = isLoss ? [`${reason}: there is no sound (audio none says so beforehand)`] : [];
  expect(await choose('auto', place)).toMatchObject({ chosen: { reason }, notes: said });
});

describe('a sound that is read', () => {
  const tone = join(folder, 'tone.flac');
  runPackagedFfmpeg('-f', 'lavfi', '-i', 'sine=r=8000:d=900', tone);
  afterEach(() => void vi.unstubAllEnvs());

  it('tells of damage', async () => {
    vi.stubEnv('FFMPEG_PATH', ''); // the machine's own; heard-sound.test.ts has the packaged one
    const damaged = join(folder, 'damaged.flac');
    const bytes = readFileSync(tone).subarray(0, 60_000);
    writeFileSync(damaged, bytes.fill(0, 30_000, 31_000));
    const { chosen, notes } = await choose(damaged, {});
    for await (const _ of chosen.sound!.frames);
    expect(notes).toEqual([expect.stringMatching(/^the sound of .*damaged\.flac is damaged: /)]);
  });

  it('ends with an abort', async () => {
    const { abort } = await choose(tone, {});
    abort.abort();
    await expect.poll(() => process.getActiveResourcesInfo(), { timeout: 60_000 }).not.toContain('ProcessWrap');
  });

  it.runIf(process.platform !== 'win32').each([
    ['looked for', 'nothing'],
    ['opened', '*-debug_ts*'],
  ])('is waited for no longer when an abort comes while it is %s', async (when, quick) => {
    const [ffmpeg, started] = [join(folder, 'slow-ffmpeg'), join(folder, when)];
    const script = `case "$*" in ${quick}) exec '${packagedFfmpeg()}' "$@" ;; esac\n: > '${started}'\nexec sleep 100`;
    writeFileSync(ffmpeg, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    vi.stubEnv('FFMPEG_PATH', ffmpeg);
    const [abort, reason] = [new AbortController(), new Error('enough')];
    const choosing = choose(tone, {}, undefined, abort);
    await expect.poll(() => existsSync(started), { timeout: 60_000 }).toBe(true);
    abort.abort(reason);
    await expect(choosing).rejects.toBe(reason);
    await expect.poll(() => process.getActiveResourcesInfo(), { timeout: 60_000 }).not.toContain('ProcessWrap');
  });

  it.runIf(process.platform !== 'win32')('ends quietly where a signal has ended ffmpeg, too', async () => {
    const script = `#!/bin/sh\ncase "$*" in *-map*) ;; *) exec '${packagedFfmpeg()}' "$@" ;; esac\n`;
    writeFileSync(join(folder, 'ffmpeg'), `${script}'${packagedFfmpeg()}' "$@" | head -c 9000\nkill -INT $$\n`, {
      mode: 0o755,
    });
    vi.stubEnv('FFMPEG_PATH', join(folder, 'ffmpeg'));
    const read = async (stop: AbortController, stops: boolean) => {
      const { chosen } = await choose(tone, {}, stop.signal);
      if (stops) stop.abort();
      let frames = 0;
      for await (const _ of chosen.sound!.frames) frames++;
      return frames;
    };
    expect(await read(new AbortController(), true)).toBeGreaterThan(0);
    await expect(read(new AbortController(), false)).rejects.toThrow(/tone\.flac/);
  });
});
