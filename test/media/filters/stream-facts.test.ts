// Tests of what is read from ffmpeg's description of a video, and of files with covers and with several tracks.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readStreamFacts } from '../../../src/media/filters/stream-facts.js';
import { openFrameSource } from '../../../src/media/frames/open-frame-source.js';
import { everyFfmpeg } from '../../support/decoders.js';
import { runPackagedFfmpeg, temporaryFolder } from '../../support/ffmpeg-clips.js';
import { withCoverFirst } from '../cover-first.js';
import { allFrames } from '../test-frames.js';

describe('readStreamFacts', () => {
  const facts = (...lines: string[]) =>
    readStreamFacts(
      ["Input #0, mov, from 'a':", ...lines, 'Output #0, yuv4mpegpipe'],
      'Stream #0:0: Video: wrapped_avframe, yuv420p, 64x48, q=2-31, 200 kb/s, 25 fps, 25 tbn',
    );

  it.each([
    ['yuv420p(tv, top first)', { firstField: 'top' }],
    ['yuv420p(tv, bt709, bottom first)', { firstField: 'bottom', matrix: 'BT.709' }],
    ['yuv420p(tv, bt709, bottom coded first (swapped))', { firstField: 'top', matrix: 'BT.709' }],
    ['yuv420p10le(tv, bt2020nc/bt2020/smpte2084, progressive)', { hdr: 'PQ' }],
    ['yuv420p10le(tv, bt2020nc/bt2020/arib-std-b67)', { hdr: 'HLG' }],
    ['yuv420p10le(unknown/bt2020/smpte2084, progressive)', { hdr: 'PQ', unsaid: ['colorspace'] }],
    ['yuv420p10le(tv, unknown/unknown/arib-std-b67)', { hdr: 'HLG', unsaid: ['colorspace', 'color_primaries'] }],
    ['gbrp10le(pc, gbr/unknown/smpte2084, progressive)', { hdr: 'PQ', unsaid: ['color_primaries'] }],
    ['yuv420p(pc, bt709)', { isFullRange: true, matrix: 'BT.709' }],
    ['yuv420p10le(tv, bt2020nc/bt2020/bt709)', { matrix: 'BT.2020' }],
    ['yuv420p(bt709)', { matrix: 'BT.709' }],
    ['yuv420p(tv, smpte170m/bt709/bt709, progressive)', {}],
    ['yuvj420p(pc, bt470bg/unknown/unknown)', {}],
    ['gray(pc)', {}],
    ['yuva444p12le(tv, progressive)', { alpha: 'yuv' }],
    ['gbrap', { alpha: 'rgb' }],
    ['yuva420p', { alpha: 'yuv420' }],
    ['yuva420p10le', { alpha: 'yuv' }],
    ['ayuv64le', { alpha: 'yuv' }],
    ['pal8', { alpha: 'rgb' }],
    ['ya8', { alpha: 'rgb' }],
    ['ya16be(pc)', { alpha: 'rgb' }],
    ['rgb24(pc)', {}],
  ])('%s', (format, expected) => {
    expect(
      facts(`  Stream #0:0(und): Video: h264 (High) (avc1 / 0x31637661), ${format}, 64x48 [SAR 1:1 DAR 4:3], 25 fps`),
    ).toEqual({
      ...expected,
      framesPerSecond: 25,
      isAlone: true,
    });
  });

  it.each([
    ['yuv420p(progressive), 1280x720', { matrix: 'BT.709', isMatrixAssumed: true }],
    ['yuv420p, 1920x1080', { matrix: 'BT.709', isMatrixAssumed: true }],
    ['nv12(tv), 1920x1080', { matrix: 'BT.709', isMatrixAssumed: true }],
    ['yuv420p(progressive), 1280x719', {}],
    ['yuv420p(tv, bt709), 1920x1080', { matrix: 'BT.709' }],
    ['yuv420p(tv, smpte170m), 1920x1080', {}],
    ['yuvj420p, 1920x1080', {}],
    ['yuv420p10le(tv, unknown/bt2020/smpte2084), 1920x1080', { hdr: 'PQ', unsaid: ['colorspace'] }],
    ['gray, 1920x1080', {}],
  ])('takes pictures of 720 lines and more for BT.709 where they say no matrix: %s', (format, expected) => {
    expect(facts(`  Stream #0:0: Video: h264 (High), ${format} [SAR 1:1 DAR 4:3], 25 fps`)).toEqual({
      ...expected,
      framesPerSecond: 25,
      isAlone: true,
    });
  });

  it('reads the first video stream, and its tags only', () => {
    const sound = '    Stream #0:0: Audio: aac, 44100 Hz, stereo';
    const video = '    Stream #0:1: Video: vp9 (Profile 0), yuv420p(tv, progressive), 64x48, SAR 1:1 DAR 4:3, 25 fps';
    const tag = '      alpha_mode      : 1';
    expect(facts(sound, tag, video)).toEqual({ framesPerSecond: 25, isAlone: false });
    const known = { framesPerSecond: 25, isAlone: false };
    expect(facts(sound, video, tag)).toEqual({ alpha: 'yuv420', alphaDecoder: 'libvpx-vp9', ...known });
    expect(facts()).toEqual({ isAlone: false });
    const other = '    Stream #0:2: Video: vp9 (Profile 0), yuv420p(tv, progressive), 64x48, 25 fps';
    expect(facts(video, other, tag)).toEqual({ leftOut: { videos: 1, subtitles: 0 }, ...known });
    const matroska = '[info]       ALPHA_MODE      : 1';
    expect(facts(video.replace('vp9', 'vp8'), matroska)).toMatchObject({ alpha: 'yuv420', alphaDecoder: 'libvpx' });
    expect(facts(video.replace('vp9', 'h264'), tag)).toEqual({ framesPerSecond: 25, isAlone: true });
    const written = '  Stream #0:0: Video: rawvideo (I420 / 0x30323449), yuv420p(tv, top first), 64x48, 50 fps';
    for (const end of ['Stream mapping:', '[info] Output #0, yuv4mpegpipe']) {
      expect(readStreamFacts([end, written])).toEqual({ isAlone: false });
    }
  });

  it('tells a cover from a video, and counts what is left out', () => {
    const cover = '  Stream #0:0[0x0]: Video: png, rgb24(pc), 64x64 [SAR 1:1 DAR 1:1], 90k tbr, 90k tbn (attached pic)';
    const video = '  Stream #0:1[0x2](und): Video: h264 (avc1 / 0x31637661), yuv420p, 160x96, 25 fps, 25 tbr (default)';
    const other = '  Stream #0:2[0x3](und): Video: h264 (avc1 / 0x31637661), yuv420p, 320x192, 50 fps, 50 tbr';
    const subtitles = '  Stream #0:3(eng): Subtitle: subrip (srt) (default)';
    const known = { framesPerSecond: 25, isAlone: false };
    expect(facts(cover, video)).toEqual({ streamAfterCover: 1, ...known });
    expect(facts(video, cover)).toEqual(known);
    expect(facts(cover.replace(' (attached pic)', ', 90k tbc'), video)).toEqual({ streamAfterCover: 1, ...known });
    expect(facts(cover)).toEqual({ isCover: true, framesPerSecond: 90_000, isAlone: true });
    const unknownRate = '  Stream #0:0: Video: h264 (avc1 / 0x31637661), yuv420p, 160x96, 90k tbr, 90k tbn';
    expect(facts(unknownRate)).toEqual({ framesPerSecond: 90_000, isAlone: true });
    for (const codec of ['mjpeg', 'bmp', 'gif']) {
      const old = cover.replace('png', codec).replace(' (attached pic)', ', 90k tbc');
      expect(facts(old, video), codec).toEqual({ streamAfterCover: 1, ...known });
    }
    expect(facts(video, subtitles)).toEqual({ leftOut: { videos: 0, subtitles: 1 }, ...known });
    expect(readStreamFacts([video])).toEqual({ framesPerSecond: 25, isAlone: true }); // ffmpeg has ended
    expect(facts(video, cover, other, subtitles)).toEqual({ leftOut: { videos: 1, subtitles: 1 }, ...known });
  });

  it.each([
    ['29.97 fps, 29.97 tbr, 1k tbn', { framesPerSecond: 29.97 }],
    ['0.97 fps, 50 tbr, 100 tbn', { framesPerSecond: 0.97, heldAtRate: 25 }],
    ['30 fps, 25 tbr, 1k tbn', { framesPerSecond: 30 }],
    ['59.94 tbr, 90k tbn', { framesPerSecond: 59.94 }],
    ['1k fps, 1k tbr, 1k tbn', { framesPerSecond: 1000 }],
    ['90k tbn', {}],
  ])('reads the rates of %s', (rates, expected) => {
    expect(facts(`  Stream #0:0: Video: vp8, yuv420p, 64x48, ${rates}`)).toEqual({ ...expected, isAlone: true });
  });
});

describe.each(everyFfmpeg())('with the $name', ({ path: ffmpegPath }) => {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder, name);
  runPackagedFfmpeg('-f', 'lavfi', '-i', 'color=red:size=32x32', '-frames:v', '1', at('cover.png'));
  writeFileSync(at('words.srt'), '1\n00:00:00,000 --> 00:00:01,000\nwords\n');
  const clip = ['-f', 'lavfi', '-i', 'testsrc2=size=48x32:rate=25:duration=0.2'];
  const cover = ['-i', at('cover.png'), '-disposition:v:1', 'attached_pic'];
  runPackagedFfmpeg(...clip, ...cover, '-map', '0', '-map', '1', '-c:v:1', 'copy', at('film.mp4'));
  const sound = ['-f', 'lavfi', '-i', 'sine=duration=0.2', '-i', at('cover.png'), '-disposition:v:0', 'attached_pic'];
  runPackagedFfmpeg(...sound, '-map', '0', '-map', '1', '-c:v', 'copy', at('song.m4a'));
  const tracks = [...clip, ...clip, '-i', at('words.srt'), '-map', '0', '-map', '1', '-map', '2', '-c:v', 'ffv1'];
  runPackagedFfmpeg(...tracks, at('tracks.mkv'));

  afterEach(() => {
    vi.unstubAllEnvs();
  });

  async function read(name: string) {
    vi.stubEnv('FFMPEG_PATH', ffmpegPath);
    const warnings: string[] = [];
    const source = await openFrameSource(at(name), { onWarning: message => warnings.push(message) });
    return { size: [source.width, source.height], frames: (await allFrames(source)).length, warnings };
  }

  it('a cover is no picture of a film, wherever the file has it', async () => {
    const film = { size: [48, 32], frames: 5, warnings: [] };
    expect(await read('film.mp4')).toEqual(film);
    writeFileSync(at('cover-first.mp4'), withCoverFirst(readFileSync(at('film.mp4'))));
    expect(await read('cover-first.mp4')).toEqual(film);
  });

  it('a cover alone is no video', async () => {
    await expect(read('song.m4a')).rejects.toThrow(`${at('song.m4a')} has no video: its only picture is a cover`);
  });

  it('what is left out is told', async () => {
    expect(await read('tracks.mkv')).toEqual({
      size: [48, 32],
      frames: 5,
      warnings: [
        `${at('tracks.mkv')} has 2 video tracks: the first one is taken, the others are left out`,
        `${at('tracks.mkv')} has subtitles: they are left out`,
      ],
    });
  });

  it('pictures of several sizes are told once, however often the size changes', async () => {
    const sizes = (name: string) => `${at(name)} has pictures of several sizes (48x32, 96x80): all are scaled to 48x32`;
    const sized = (codec: string, form: string) => (size: string) => {
      const input = ['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=25:d=0.2`];
      runPackagedFfmpeg(...input, '-c:v', codec, '-f', form, at(`${size}.${form}`));
      return readFileSync(at(`${size}.${form}`));
    };
    const join = (name: string, [small, large]: Buffer[]) =>
      writeFileSync(at(name), Buffer.concat([small!, large!, small!, large!]));
    join('sizes.h264', ['48x32', '96x80'].map(sized('libx264', 'h264')));
    expect(await read('sizes.h264')).toEqual({ size: [48, 32], frames: 20, warnings: [sizes('sizes.h264')] });
    expect((await read('48x32.h264')).warnings).toEqual([]);
    // Pictures of an MPEG stream are numbered by ffmpeg, anew from each size on.
    join('sizes.m2v', ['48x32', '96x80'].map(sized('mpeg2video', 'mpeg2video')));
    const lost = `${at('sizes.m2v')} is damaged or ends early: pictures are lost where the size changes (after `;
    await expect(read('sizes.m2v')).rejects.toThrow(lost);
  });
});
