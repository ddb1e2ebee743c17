// Tests that ffmpeg reads the file that it is given, and no other.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { openFrameSource } from '../../../src/media/frames/open-frame-source.js';
import { copyIntoContainer } from '../../../src/media/output/stream-copy.js';
import { openSound } from '../../../src/media/sound/open-sound.js';
import { expectSameFrames } from '../../support/compare-frames.js';
import { everyFfmpeg, framesFromY4m, packagedFfmpeg } from '../../support/decoders.js';
import { makeTestStream, runPackagedFfmpeg, temporaryFolder } from '../../support/ffmpeg-clips.js';
import { allFrames } from '../test-frames.js';

const folder = temporaryFolder();
const { original, stream } = makeTestStream(folder, { width: 32, height: 32, frames: 3 });
const originals = framesFromY4m(readFileSync(original));
/** A file that whoever writes a playlist would like to be read. */
const secret = join(folder, 'secret.ts');
runPackagedFfmpeg('-f', 'lavfi', '-i', 'testsrc2=size=96x64:rate=25', '-frames:v', '20', '-c:v', 'mpeg2video', secret);

const PLAYLISTS: Readonly<Record<string, string>> = {
  'hls.mp4': `#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:1,\n${secret}\n#EXT-X-ENDLIST\n`,
  'hls.m3u8': `#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:1,\nsecret.ts\n#EXT-X-ENDLIST\n`,
  'concat.mkv': 'ffconcat version 1.0\nfile secret.ts\n',
  'session.mp4': 'v=0\no=- 0 0 IN IP4 127.0.0.1\nc=IN IP4 127.0.0.1\nm=video 5004 RTP/AVP 96\na=rtpmap:96 H264/90000\n',
};
for (const [name, text] of Object.entries(PLAYLISTS)) writeFileSync(join(folder, name), text);

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Expects that a playlist is refused by name, with the reason. */
async function expectNotFollowed(name: string, ffmpegPath: string): Promise<void> {
  vi.stubEnv('FFMPEG_PATH', ffmpegPath);
  const path = join(folder, name);
  const error = await openFrameSource(path).then(allFrames, (thrown: Error) => thrown);
  expect(error).toMatchObject({ name: 'InputError' });
  const reason = /: it is a playlist \([a-z,]+\), which names other files: give the video itself$/;
  expect((error as Error).message).toMatch(reason);
  expect((error as Error).message.startsWith(path)).toBe(true);
}

const ffmpegs = everyFfmpeg();

it.each(Object.keys(PLAYLISTS))('the playlist %s is not followed', name => expectNotFollowed(name, ffmpegs[0].path));

it.each(ffmpegs)('nor is one with the $name', ({ path }) => expectNotFollowed('hls.mp4', path));

it('a kind that is not allowed is refused, and named', async () => {
  vi.stubEnv('FFMPEG_PATH', ffmpegs[0].path);
  const path = join(folder, 'subtitles.mp4');
  writeFileSync(path, '1\n00:00:01,000 --> 00:00:02,000\nHello\n\n2\n00:00:03,000 --> 00:00:04,000\nWorld\n');
  await expect(openFrameSource(path)).rejects.toMatchObject({
    name: 'InputError',
    message: `${path}: it is no video of a kind that is read (ffmpeg takes it for srt)`,
  });
});

it('every input of every run of ffmpeg is kept to files and pipes, and to kinds that name no others', async () => {
  const [log, script] = [join(folder, 'log'), join(folder, 'telling-ffmpeg')];
  writeFileSync(script, `#!/bin/sh\necho "$*" >> ${log}\nexec ${packagedFfmpeg()} "$@"\n`, { mode: 0o755 });
  vi.stubEnv('FFMPEG_PATH', script);
  const both = join(folder, 'both.mkv');
  const sound = join(folder, 'sound.mp2');
  runPackagedFfmpeg('-i', original, '-f', 'lavfi', '-i', 'sine=duration=0.1', '-c:a', 'mp2', both);
  runPackagedFfmpeg('-i', both, '-c:a', 'copy', sound);
  await allFrames(await openFrameSource(both));
  await allFrames(await openFrameSource(original, { crop: { width: 16, height: 16, x: 0, y: 0 } }));
  const lines = () =>
    readFileSync(log, 'utf8')
      .split('\n')
      .filter(line => line.includes(' -i '));
  expect(lines()).toHaveLength(2);
  const inputs = () => lines().flatMap(line => line.split(' -i ').slice(0, -1));
  for (const given of inputs()) expect(given).not.toMatch(/\b(wav|flac)\b/); // sound alone
  await (await openSound(both))!.close();
  const frameRate = { numerator: 25, denominator: 1 };
  await copyIntoContainer({ input: stream, soundInput: sound, output: join(folder, 'copy.mkv'), frameRate });
  expect(inputs()).toHaveLength(7); // two that ask for the sound, the sound, and a copy of two files
  for (const given of inputs()) {
    expect(given).toMatch(/-protocol_whitelist file,pipe -format_whitelist [a-z0-9,_]+$/);
    expect(given).not.toMatch(/\b(hls|concat|dash|sdp|rtsp|webm_dash_manifest|imf|image2|lavfi)\b/);
  }
});

it('a name that ffmpeg could take for something else is the name of a file', async () => {
  vi.stubEnv('FFMPEG_PATH', ffmpegs[0].path);
  mkdirSync(join(folder, 'names'));
  const home = process.cwd();
  process.chdir(join(folder, 'names'));
  try {
    for (const name of ['-i.mkv', 'concat:a|b.mkv', 'http:.mkv', 'x%03d.mkv', 'pipe:0.mkv', `${'n'.repeat(251)}.mkv`]) {
      runPackagedFfmpeg('-i', original, '-c:v', 'ffv1', '-f', 'matroska', `file:${join(folder, 'names', name)}`);
      expectSameFrames(await allFrames(await openFrameSource(name)), originals);
    }
    for (const name of [`concat:${secret}`, 'lavfi:color', `subfile,,start,0,end,0,,:${secret}`]) {
      await expect(openFrameSource(name)).rejects.toThrow(`no such file or folder: ${name}`);
    }
    const url = 'http://localhost/a.mp4';
    await expect(openFrameSource(url)).rejects.toThrow(`${url} is a URL, and inputs are files of this machine`);
  } finally {
    process.chdir(home);
  }
});
