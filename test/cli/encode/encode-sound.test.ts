// Tests of --audio: what is heard, when, in every container, and what is said.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { runEncodeByPlan } from '../../../src/cli/chunks/encode-by-plan.js';
import { asFlag } from '../../../src/cli/flags/flag-table.js';
import type { Interruption } from '../../../src/cli/interruption.js';
import { soundRequest } from '../../../src/encode-files/encode-sound.js';
import { NO_PROGRESS } from '../../../src/encode-files/progress.js';
import { packagedFfmpeg, systemFfmpeg } from '../../support/decoders.js';
import { readWithPackagedFfmpeg, runPackagedFfmpeg, temporaryFolder } from '../../support/ffmpeg-clips.js';
import { describeWith } from '../../support/requirements.js';
import { type TimedStream, timedStreams } from '../../support/time-stamps.js';
import { encodeJson, listing, runCliHere } from '../run-cli.js';

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const CHUNKS = ['--preset', 'fastest', '--chunk-seconds', '0.5-1.2', '--quiet'];
const FAST = ['--preset', 'fastest', '--threads', '1', '--overwrite'];

interface SoundJson {
  readonly audio: { readonly [name: string]: unknown } | null;
  readonly audioNote: string | null;
}

const encode = async (...args: string[]) =>
  (await encodeJson([...args, ...FAST], { cwd: folder })) as unknown as SoundJson;
const said = async (...args: string[]) => runCliHere(['encode', ...args, ...FAST], { cwd: folder });

// A white picture and a tone of 20 ms, both at 0 s and at 1.6 s; gray and silence between.
const FLASHES = "color=gray:size=32x32:rate=25:d=2.4,geq=lum='if(lt(mod(T,1.6),0.04),235,40)':cb=128:cr=128";
const CLICKS = "aevalsrc='if(lt(mod(t,1.6),0.02),sin(6000*t),0)':s=44100:d=2.4";

beforeAll(() => {
  const pictures = ['-f', 'lavfi', '-i', FLASHES];
  const coding = ['-c:v', 'mpeg4', '-q:v', '2', '-c:a', 'pcm_s16le'];
  runPackagedFfmpeg(...pictures, '-f', 'lavfi', '-i', CLICKS, ...coding, at('even.mkv'));
  runPackagedFfmpeg('-f', 'lavfi', '-i', CLICKS, at('clicks.wav'));
  runPackagedFfmpeg('-i', at('even.mkv'), '-frames:v', '10', '-an', '-pix_fmt', 'yuv420p', at('short.y4m'));
  runPackagedFfmpeg('-i', at('even.mkv'), '-an', '-c', 'copy', at('silent.mkv'));
  // The sound, or the picture, begins 0.48 s after the other.
  const [first, second] = [
    ['-i', at('even.mkv')],
    ['-itsoffset', '0.48', '-i', at('even.mkv')],
  ] as const;
  runPackagedFfmpeg(...first, ...second, '-map', '0:v', '-map', '1:a', '-c', 'copy', at('late-sound.mkv'));
  runPackagedFfmpeg(...first, ...second, '-map', '1:v', '-map', '0:a', '-c', 'copy', at('late-picture.mkv'));
  const broadcast = ['-vsync', 'passthrough', '-c:v', 'mpeg2video', '-q:v', '2', '-c:a', 'mp2', '-b:a', '192k'];
  for (const name of ['late-sound', 'late-picture']) {
    for (const ending of ['ts', 'mpg'])
      runPackagedFfmpeg('-i', at(`${name}.mkv`), ...broadcast, at(`${name}.${ending}`));
  }
  // Two tracks, the first with six channels at 96 kHz.
  const tracks = ['-map', '0:v', '-map', '0:a', '-map', '0:a', '-ac:a:0', '6', '-ar:a:0', '96000', '-t', '0.4'];
  runPackagedFfmpeg('-i', at('even.mkv'), ...tracks, '-c:v', 'copy', '-c:a', 'pcm_s16le', at('tracks.mkv'));
  writeFileSync(at('text.txt'), 'hello\n');
});

/** When it is first brighter than gray, and louder than nothing, from `from` seconds on, on each stream's own clock. */
function flashesAndClicks(name: string): { flash: (from: number) => number; click: (from: number) => number } {
  const [luma, pcm] = [at(`${name}.gray`), at(`${name}.pcm`)];
  const picture = ['-map', '0:v', '-vf', 'scale=1:1', '-pix_fmt', 'gray', '-f', 'rawvideo', luma];
  runPackagedFfmpeg('-i', at(name), ...picture, '-map', '0:a', '-ac', '1', '-ar', '44100', '-f', 's16le', pcm);
  const pels = readFileSync(luma);
  const bytes = readFileSync(pcm);
  const samples = new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length >> 1);
  return {
    flash: from => pels.findIndex((pel, i) => i >= from * 25 && pel > 140) / 25,
    click: from => samples.findIndex((sample, i) => i >= from * 44_100 && Math.abs(sample) > 3000) / 44_100,
  };
}

describe('a click and a flash', () => {
  readWithPackagedFfmpeg();
  const ENDINGS = ['mpg', 'ts', 'mkv', 'mov', 'mp4', 'avi'];

  it.each(ENDINGS)('come together in .%s, at the start and later', async ending => {
    const name = `out.${ending}`;
    const { audio } = await encode('even.mkv', '-o', name);
    expect(audio).toMatchObject({ codec: 'mp2', sampleRate: 44_100, channels: 1, bitRate: 96_000, from: 'even.mkv' });
    expect(Math.abs((audio!.seconds as number) - 2.4)).toBeLessThan(0.0262);
    const { flash, click } = flashesAndClicks(name);
    expect([flash(0), click(0)]).toEqual([0, expect.closeTo(0.011, 2)]);
    // AVI has no time stamps: ffmpeg shows all pictures but the first a period late.
    expect(flash(1)).toBe(ending === 'avi' ? 1.64 : 1.6);
    expect(Math.abs(click(1) - 1.6)).toBeLessThan(0.024);
  });

  describeWith('ffmpeg', "in the machine's own ffmpeg", () => {
    it('are of streams that begin together', () => {
      const maps = ['v:0', 'a:0'];
      const streams = timedStreams(
        systemFfmpeg()!,
        ENDINGS.map(ending => at(`out.${ending}`)),
        { maps, level: 'error' }, // it warns of AVI, whose pictures have no times of their own
      );
      for (const [n, ending] of ENDINGS.entries()) {
        const [video, sound] = streams.slice(2 * n, 2 * n + 2) as [TimedStream, TimedStream];
        // MP4 has one number for all layers of MPEG-1 audio, which ffmpeg reads as the third.
        expect([video.codec, sound.codec], ending).toEqual(['mpeg1video', ending === 'mp4' ? 'mp3' : 'mp2']);
        expect(Math.abs(startOf(video) - startOf(sound)), ending).toBeLessThan(0.001);
      }
    });
  });
});

/** When a stream begins, in seconds. Of AVI's pictures but the first, ffmpeg writes the least number for their time. */
function startOf({ timeBase, packets }: TimedStream): number {
  const [numerator, denominator] = timeBase.split('/').map(Number) as [number, number];
  const known = packets.map(({ pts }) => pts).filter(Number.isSafeInteger);
  return (Math.min(...known) * numerator) / denominator;
}

describe('a click and a flash in an input', () => {
  // Read by the machine's own ffmpeg: each that begins late, and each container. It has the times of .mpg as of .ts,
  // from the headers of packets.
  const OF_OWN_FFMPEG = ['late-sound.mkv', 'late-picture.ts'];
  afterEach(() => void vi.unstubAllEnvs());

  it.each(
    ['mkv', 'ts', 'mpg'].flatMap(ending => [
      { name: `late-sound.${ending}`, clickAfterFlash: 0.48 },
      { name: `late-picture.${ending}`, clickAfterFlash: -0.48 },
    ]),
  )('keep their distance where one begins later: $name', async ({ name, clickAfterFlash }) => {
    const output = `from-${name}.mpg`;
    if (!OF_OWN_FFMPEG.includes(name)) vi.stubEnv('FFMPEG_PATH', packagedFfmpeg());
    await encode(name, '-o', output);
    const { flash, click } = flashesAndClicks(output);
    expect(Math.abs(click(1) - flash(1) - clickAfterFlash)).toBeLessThan(0.024);
  });
});

describe('what is taken', () => {
  readWithPackagedFfmpeg();

  it('is the first track, mixed to two channels at a rate of Layer II', async () => {
    const { stderr } = await said('tracks.mkv', '-o', 'tracks.ts');
    expect(stderr).toBe('mpegpu: tracks.mkv has 2 sound tracks: the first one is taken, the others are left out\n');
    const { audio, audioNote } = await encode('tracks.mkv', '-o', 'tracks.ts');
    expect(audio).toMatchObject({ sampleRate: 48_000, channels: 2, bitRate: 192_000, tracks: 2 });
    expect(audioNote).toBeNull();
  });

  it('is that of a file, cut at the last picture, which is said', async () => {
    const { audio, audioNote } = await encode('short.y4m', '-o', 'file.mpg', '--audio', 'clicks.wav');
    expect(audio).toMatchObject({ from: 'clicks.wav', channels: 1 });
    expect(audio!.seconds as number).toBeLessThan(0.4 + 0.0262);
    const limited = await encode('even.mkv', '-o', 'file.mpg', '--frames', '10');
    expect(limited).toMatchObject({ audio: { seconds: audio!.seconds }, audioNote: null });
    expect(audioNote).toBe('the sound of clicks.wav goes on after the last picture: it is cut there');
  });

  it('is that of a Video CD, in the sectors of one', async () => {
    const disc = ['--target', 'vcd', '--scale', '352x288', '--frames', '2'];
    const { audio } = await encode('even.mkv', '-o', 'disc.mpg', ...disc);
    expect(audio).toMatchObject({ sampleRate: 44_100, channels: 2, bitRate: 224_000 });
    const bytes = readFileSync(at('disc.mpg'));
    expect(bytes.length % 2324).toBe(0);
    const starts = Array.from({ length: bytes.length / 2324 }, (_, sector) => bytes.readUInt32BE(2324 * sector));
    expect(new Set(starts)).toEqual(new Set([0x000001ba])); // pack_start_code
  });

  it('is nothing where there is none, with the reason', async () => {
    const none = (audioNote: string) => ({ audio: null, audioNote });
    expect(await encode('silent.mkv', '-o', 'none.mpg')).toMatchObject(none('the input has no sound'));
    expect(await encode('short.y4m', '-o', 'none.mpg')).toMatchObject(none('the input has no sound'));
    expect(await encode('even.mkv', '-o', 'none.mpg', '--audio', 'none')).toMatchObject(none('--audio none'));
  });

  it('is nothing where there is none, and a line says that a bit rate for it has no effect', async () => {
    const none = 'mpegpu: --audio-bitrate has no effect, since there is no sound: the input has no sound\n';
    for (const input of ['silent.mkv', 'short.y4m']) {
      const { status, stderr } = await said(input, '-o', 'none.mpg', '--frames', '2', '--audio-bitrate', '96k');
      expect([status, stderr]).toEqual([0, none]);
    }
    const bare = await said('even.mkv', '-o', 'bare.m1v', '--frames', '2', '--audio-bitrate', '96k');
    expect(bare.stderr).toMatch(/^mpegpu: --audio-bitrate has no effect, since there is no sound: bare\.m1v takes/m);
    const heard = await said('even.mkv', '-o', 'none.mpg', '--frames', '2', '--audio-bitrate', '96k');
    expect([heard.status, heard.stderr]).toEqual([0, '']);
  });

  it('is left out of a bare stream, in one line that --quiet takes away', async () => {
    const { status, stderr } = await said('even.mkv', '-o', 'bare.m1v', '--frames', '2');
    expect([status, stderr]).toEqual([
      0,
      'mpegpu: bare.m1v takes the bare video stream, which has no place for sound: there is no sound (--audio none says so beforehand)\n',
    ]);
    const quiet = await said('even.mkv', '-o', 'bare.m1v', '--frames', '2', '--quiet', '--json');
    expect(quiet.stderr).toBe('');
    expect(JSON.parse(quiet.stdout.toString()).warnings).toEqual([expect.stringMatching(/^bare\.m1v takes the bare/)]);
  });
});

describe('a mistake', () => {
  readWithPackagedFfmpeg();

  it.each([
    ['-o x.mpg --audio absent.wav', /^mpegpu: --audio absent.wav cannot be read: there is no such file or folder/],
    ['-o x.mp4 --audio silent.mkv', /^mpegpu: --audio silent.mkv: it has no sound; use another file, or --audio none$/],
    ['-o x.mpg --audio text.txt', /^mpegpu: --audio text.txt: /],
    ['-o x.m1v --audio clicks.wav', /^mpegpu: --audio clicks.wav: x.m1v takes the bare video stream.*; use .mpg, .ts/],
    ['-o x.mpg --audio -', /^mpegpu: --audio is '-'; legal: auto, none, or the name of a file$/],
    [
      '-o x.mpg --audio-bitrate 384k',
      /^mpegpu: --audio-bitrate 384000 is not a rate .* for one channel; legal: 32000, 48000, .*192000 bit\/s$/,
    ],
    [
      '-o x.mpg --audio none --audio-bitrate 96k',
      /^mpegpu: --audio-bitrate is for sound, which --audio none leaves out/,
    ],
    ['-o x.mpg --target vcd --audio-bitrate 96k', /^mpegpu: --audio-bitrate is given by --target vcd/],
    ['-o clicks.wav --audio clicks.wav', /-o and --audio are both clicks.wav|clicks.wav/],
  ])('is one line, status 2, and no file: %s', async (args, words) => {
    const before = listing(folder);
    const { status, stderr } = await said('even.mkv', ...args.split(' '));
    expect(stderr.trimEnd()).toMatch(words);
    expect([status, stderr.trimEnd().split('\n').length]).toEqual([2, 1]);
    expect(listing(folder)).toEqual(before);
  });
});

describe('chunks', () => {
  readWithPackagedFfmpeg();

  it('give the same bytes with sound, by encode --plan and by assemble', async () => {
    const run = async (...args: string[]) => {
      const { status, stderr } = await runCliHere(args, { cwd: folder });
      expect([status, stderr]).toEqual([0, '']);
    };
    await run('plan', 'even.mkv', '-o', 'plan.json', ...CHUNKS);
    const { chunks } = JSON.parse(readFileSync(at('plan.json'), 'utf8'));
    const names = chunks.map(({ index }: { index: number }) => `chunk-${index}`);
    for (const [i, name] of names.entries()) await run('encode-chunk', 'plan.json', String(i), '-o', name, '--quiet');
    await run('encode', 'even.mkv', '--plan', 'plan.json', '-o', 'whole.mpg', '--quiet');
    await run('assemble', 'plan.json', ...names, '-o', 'parts.mpg', '--quiet');
    expect(Buffer.compare(readFileSync(at('whole.mpg')), readFileSync(at('parts.mpg')))).toBe(0);
    const other = ['assemble', 'plan.json', ...names, '-o', 'other.mpg', '--audio', 'tracks.mkv', '--quiet', '--json'];
    const { stdout, stderr } = await runCliHere(other, { cwd: folder });
    expect(stderr).toBe('');
    const { warnings } = JSON.parse(stdout.toString());
    expect(warnings).toEqual([expect.stringMatching(/^tracks\.mkv has 2 sound tracks/)]);
    expect(flashesAndClicks('parts.mpg').click(1)).toBeCloseTo(1.6, 1);
    const planned = ['even.mkv', '--plan', 'plan.json', '-o', 'rate.mpg', '--audio-bitrate', '64k'];
    expect(await encodeJson(planned, { cwd: folder })).toMatchObject({ audio: { bitRate: 64_000 } });
  });

  it.each([
    ['1', { name: 'Interrupted', message: 'interrupted in the first chunk: nothing was kept' }],
    ['2', undefined],
  ])(
    'of an interrupted encode --plan keep their sound, and nothing is said of its rest: chunk %s',
    async (part, fault) => {
      const planned = await runCliHere(['plan', 'even.mkv', '-o', 'cut.json', ...CHUNKS, '--overwrite'], {
        cwd: folder,
      });
      expect(planned.status).toBe(0);
      const [stop, abort] = [new AbortController(), new AbortController()];
      const notes: string[] = [];
      const onWarning = (note: string) => void notes.push(note);
      const paths = { input: at('even.mkv'), plan: at('cut.json'), output: at('cut.mpg') };
      const begin = (chunk: string) => chunk.startsWith(`chunk ${part} `) && stop.abort();
      const job = {
        ...paths,
        sound: soundRequest(paths, { onNote: onWarning, named: asFlag }),
        ...{ overwrite: true, recon: undefined, vectors: undefined, threads: 1 },
        ...{ onWarning, onLeftover: onWarning, onPicture: () => {} },
        showProgress: () => ({ ...NO_PROGRESS, begin }),
      };
      const coding = runEncodeByPlan(job, { stop: stop.signal, abort: abort.signal } as Interruption);
      if (fault) return expect(coding).rejects.toMatchObject(fault);
      const { output, interrupted, audio, audioNote, statistics } = await coding;
      expect([output, interrupted, audioNote, notes]).toEqual([at('cut.mpg.partial'), true, null, []]);
      expect(Math.abs(audio!.seconds - statistics.frames / 25)).toBeLessThan(0.0262);
    },
  );
});
