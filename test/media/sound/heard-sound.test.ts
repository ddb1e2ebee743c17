// What is heard of the sound of a file, and when; with every ffmpeg.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openSound, type SoundOptions } from '../../../src/media/sound/open-sound.js';
import { everyFfmpeg, packagedFfmpeg } from '../../support/decoders.js';
import { readWithPackagedFfmpeg, runPackagedFfmpeg, temporaryFolder } from '../../support/ffmpeg-clips.js';
import { withCoverFirst } from '../cover-first.js';

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const tone = (seconds: number, hertz = 44_100) => ['-f', 'lavfi', '-i', `sine=sample_rate=${hertz}:d=${seconds}`];
const CLIP = ['-f', 'lavfi', '-i', 'testsrc2=size=48x32:rate=25:d=1'];

/** The frames of a sound, in one piece, and what is told of it. */
async function heard(name: string, options: SoundOptions = {}) {
  const warnings: string[] = [];
  const sound = (await openSound(at(name), { ...options, onWarning: line => warnings.push(line) }))!;
  const frames: Uint8Array[] = [];
  for await (const frame of sound.frames) frames.push(frame);
  return { ...sound, bytes: Buffer.concat(frames), warnings };
}

/** From when to when it is loud, in seconds: each stretch that is longer than 20 ms. */
async function loudParts(name: string): Promise<number[][]> {
  writeFileSync(at('heard.mp2'), (await heard(name, { sampleRate: 44_100, channels: 1 })).bytes);
  const reading = ['-v', 'error', '-f', 'mp3', '-i', at('heard.mp2'), '-f', 's16le', '-'];
  const pcm = execFileSync(packagedFfmpeg(), reading);
  const parts: number[][] = [];
  for (let i = 0; i < pcm.length; i += 2) {
    if (Math.abs(pcm.readInt16LE(i)) < 500) continue;
    const now = i / 2 / 44_100;
    const last = parts.at(-1);
    if (last && now - last[1]! < 0.02) last[1] = now;
    else parts.push([now, now]);
  }
  return parts.map(times => times.map(time => Math.round(10 * time) / 10));
}

afterEach(() => {
  vi.unstubAllEnvs();
});

describe.each(everyFfmpeg())('with the $name', ({ path: ffmpegPath }) => {
  runPackagedFfmpeg('-f', 'lavfi', '-i', 'color=red:size=32x32', '-frames:v', '1', at('cover.png'));
  const cover = ['-i', at('cover.png')];
  const late = ['-itsoffset', '0.5', ...tone(0.4)];
  const coding = ['-c:v:0', 'mpeg4', '-c:a', 'aac'];
  runPackagedFfmpeg(
    ...[...CLIP, ...late, ...cover, '-map', '0', '-map', '1', '-map', '2', ...coding],
    ...['-c:v:1', 'copy', '-disposition:v:1', 'attached_pic', at('film.mp4')],
  );
  writeFileSync(at('cover-first.mp4'), withCoverFirst(readFileSync(at('film.mp4'))));
  runPackagedFfmpeg(
    ...[...late, ...cover, '-map', '0', '-map', '1', '-c:v', 'copy', '-c:a', 'aac'],
    ...['-disposition:v:0', 'attached_pic', at('song.m4a')],
  );
  const gap = ['-af', "asetpts='PTS+if(gte(T,0.3),0.1/TB,0)'", '-c:a', 'pcm_s16le'];
  runPackagedFfmpeg(...tone(0.6), ...gap, at('gap.mkv'));

  const inFilm = ['in a film', 'film.mp4', [[0.5, 0.9]]] as const;
  const others = [
    ['in a film whose cover comes first', 'cover-first.mp4', [[0.5, 0.9]]],
    ['in a song with a cover, at once', 'song.m4a', [[0, 0.4]]],
    [
      'with silence where there is none',
      'gap.mkv',
      [
        [0, 0.3],
        [0.4, 0.7],
      ],
    ],
  ] as const;
  // With the machine's own ffmpeg, the film whose streams are in another order is enough.
  const cases = ffmpegPath === packagedFfmpeg() ? [inFilm, ...others] : others;

  it.each(cases)('is heard when it is due %s', async (_, name, parts) => {
    vi.stubEnv('FFMPEG_PATH', ffmpegPath);
    expect(await loudParts(name)).toEqual(parts);
  });
});

describe('the sound', () => {
  readWithPackagedFfmpeg();

  it.each([
    ['8000', 48_000],
    ['11025', 44_100],
    ['22050', 44_100],
    ['32000', 32_000],
    ['48000', 48_000],
    ['88200', 44_100],
    ['96000', 48_000],
  ])('of %s samples a second has %i', async (hertz, sampleRate) => {
    runPackagedFfmpeg(...tone(0.1, Number(hertz)), at(`${hertz}.wav`));
    const { format } = await heard(`${hertz}.wav`);
    expect(format).toEqual({ sampleRate, channels: 1, bitRate: 96_000 });
  });

  it.each([
    [1, {}, 1, 96_000],
    [2, {}, 2, 192_000],
    [6, {}, 2, 192_000],
    [1, { channels: 2 }, 2, 192_000],
    [2, { channels: 1, bitRate: 32_000 }, 1, 32_000],
  ] as const)('of %i channels, with %o, has %i', async (given, options, channels, bitRate) => {
    runPackagedFfmpeg(...tone(0.1), '-ac', String(given), at('channels.wav'));
    expect((await heard('channels.wav', options)).format).toEqual({ sampleRate: 44_100, channels, bitRate });
  });

  it('of a damaged file is told as such, once it has been heard', async () => {
    runPackagedFfmpeg(...tone(1), '-c:a', 'aac', at('whole.m4a'));
    const file = readFileSync(at('whole.m4a'));
    const start = file.indexOf('mdat') + 2000;
    file.fill(0x55, start, start + 1000);
    writeFileSync(at('damaged.m4a'), file);
    const { bytes, warnings } = await heard('damaged.m4a');
    expect(bytes.length).toBeGreaterThan(0);
    expect(warnings).toEqual([expect.stringContaining(`the sound of ${at('damaged.m4a')} is damaged: ffmpeg reports`)]);
    expect((await heard('whole.m4a')).warnings).toEqual([]);
  });

  it('is none where a file has none, and an error where it cannot be read', async () => {
    runPackagedFfmpeg(...CLIP, '-c:v', 'mpeg4', at('silent.mkv'));
    expect(await openSound(at('silent.mkv'))).toBeUndefined();
    writeFileSync(at('empty.wav'), '');
    await expect(openSound(at('empty.wav'))).rejects.toThrow(`${at('empty.wav')} is empty: it holds no sound`);
    writeFileSync(at('noise.wav'), Buffer.alloc(3000, 0xc3));
    await expect(openSound(at('noise.wav'))).rejects.toThrow(/noise\.wav: it is damaged, or no file of a kind/);
  });

  it.runIf(process.platform !== 'win32')('is not read from a pipe', async () => {
    execFileSync('mkfifo', [at('pipe.wav')]);
    await expect(openSound(at('pipe.wav'))).rejects.toThrow(`${at('pipe.wav')} is a pipe: sound is read from a file`);
  });
});
