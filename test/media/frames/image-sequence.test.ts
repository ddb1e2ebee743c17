// Tests of reading images as frames: folders, patterns and their order.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openFrameSource } from '../../../src/media/frames/open-frame-source.js';
import { decodeImage } from '../../../src/media/images/image-decoder.js';
import { type Frame, frameFromI420, i420Bytes } from '../../../src/picture/frame.js';
import { rgbToFrame } from '../../../src/picture/rgb-to-frame.js';
import { temporaryFolder } from '../../support/ffmpeg-clips.js';
import { allFrames } from '../test-frames.js';

const root = temporaryFolder();

/** A folder of flat grey images: each named file holds the grey level given. */
function folderOf(name: string, greys: Record<string, number>, width = 4, height = 2): string {
  const folder = join(root, name);
  mkdirSync(folder, { recursive: true });
  for (const [file, grey] of Object.entries(greys)) {
    const pels = Buffer.alloc(width * height, grey);
    writeFileSync(join(folder, file), Buffer.concat([Buffer.from(`P5 ${width} ${height} 255\n`), pels]));
  }
  return folder;
}

const lumaOf = (grey: number) => rgbToFrame({ width: 1, height: 1, pels: new Uint8Array(3).fill(grey) }).y[0];

async function expectGreys(input: string, greys: number[]): Promise<void> {
  const source = await openFrameSource(input);
  expect(source).toMatchObject({ name: input, width: 4, height: 2, frameCount: greys.length });
  expect((await allFrames(source)).map(frame => frame.y[0])).toEqual(greys.map(lumaOf));
}

describe('a folder', () => {
  it('is read in natural order, without hidden files, other files and folders', async () => {
    const folder = folderOf('natural', { 'f10.pgm': 100, 'f9.pgm': 90, 'f1.pgm': 10, '.f0.pgm': 1, 'f2.PGM': 20 });
    writeFileSync(join(folder, 'notes.txt'), 'not a frame');
    mkdirSync(join(folder, 'f0.png'));
    await expectGreys(folder, [10, 20, 90, 100]);
  });

  it('without images is refused', async () => {
    const folder = folderOf('empty', {});
    writeFileSync(join(folder, 'notes.txt'), 'x');
    await expect(openFrameSource(folder)).rejects.toThrow(
      `${folder} holds no images (PNG, BMP, JPEG, PPM/PGM, TIFF or WebP)`,
    );
  });

  it('of videos is refused with what to do', async () => {
    const folder = folderOf('videos', {});
    writeFileSync(join(folder, 'b.MP4'), 'x');
    const formats = 'no images (PNG, BMP, JPEG, PPM/PGM, TIFF or WebP), but';
    const refused = (input: string, text: string) => expect(openFrameSource(input)).rejects.toThrow(text);
    await refused(folder, `${folder} holds ${formats} 1 video: give the video itself: ${join(folder, 'b.MP4')}`);
    writeFileSync(join(folder, 'a.mkv'), 'x');
    const advice = `2 videos: give one of them itself, such as ${folder}/a.mkv`;
    await refused(`${folder}/*`, `${folder}/* matches ${formats} ${advice}`);
  });

  it('that does not exist is refused', async () => {
    await expect(openFrameSource(join(root, 'nowhere'))).rejects.toThrow(
      `no such file or folder: ${join(root, 'nowhere')}`,
    );
  });

  it('of mixed sizes is refused at the frame that differs, both named with their sizes', async () => {
    const folder = folderOf('mixed', { 'a1.pgm': 1, 'a2.pgm': 2 });
    folderOf('mixed', { 'a3.pgm': 3 }, 6, 8);
    const source = await openFrameSource(folder);
    const seen: Frame[] = [];
    const reading = (async () => {
      for await (const frame of source.frames()) seen.push(frame);
    })();
    await expect(reading).rejects.toMatchObject({
      name: 'InputError',
      message: `${join(folder, 'a3.pgm')} is 6x8, but a1.pgm is 4x2: all frames of a sequence have one size, which scale can give them`,
    });
    expect(seen).toHaveLength(2);
  });

  it('of mixed sizes is scaled to one size, each image in its turn, and a warning tells of the sizes', async () => {
    const folder = folderOf('scaled', { 'a1.pgm': 1, 'a2.pgm': 2, 'a4.pgm': 4, 'a6.pgm': 6 });
    folderOf('scaled', { 'a3.pgm': 3, 'a5.pgm': 5 }, 6, 8);
    const warnings: string[] = [];
    const onWarning = (message: string) => warnings.push(message);
    const source = await openFrameSource(folder, { scale: { width: 8, height: 4 }, onWarning });
    expect(source).toMatchObject({ width: 8, height: 4, frameCount: 6 });
    const frames = await allFrames(source);
    expect(frames.map(frame => frame.y[0])).toEqual([1, 2, 3, 4, 5, 6].map(lumaOf));
    expect(warnings).toEqual([`${folder} has pictures of several sizes (4x2, 6x8): all are scaled to 8x4`]);
  });

  it('names a frame that cannot be decoded, when its turn comes', async () => {
    const folder = folderOf('damaged', { 'a1.pgm': 1, 'a2.pgm': 2, 'a4.pgm': 4 });
    writeFileSync(join(folder, 'a3.png'), 'this is text');
    const frames = (await openFrameSource(folder)).frames()[Symbol.asyncIterator]();
    expect((await frames.next()).value.y[0]).toBe(lumaOf(1));
    expect((await frames.next()).value.y[0]).toBe(lumaOf(2));
    await decodeImage(join(folder, 'a3.png')).catch(() => {}); // as long as the sequence needs to find out
    await new Promise(resolve => setImmediate(resolve));
    await expect(frames.next()).rejects.toThrow(/a3.png is not an image/);
  });
});

describe('a printf pattern', () => {
  it('starts at the first number there is, and a gap is refused unless `frames` ends before it', async () => {
    const folder = folderOf('numbers', {
      'f0020.pgm': 20,
      'f0021.pgm': 21,
      'f0022.pgm': 22,
      'f0024.pgm': 24,
      'f19.pgm': 1,
      'g0001.pgm': 2,
    });
    const pattern = join(folder, 'f%04d.pgm');
    await expect(openFrameSource(pattern)).rejects.toThrow(
      `${pattern}: f0023.pgm is missing, and f0024.pgm is there: number the images without a gap, or read the 3 before it`,
    );
    await expect(openFrameSource(pattern, { frames: 4 })).rejects.toThrow('f0023.pgm is missing');
    await expect(openFrameSource(pattern, { frames: 2, start: { frame: 2 } })).rejects.toThrow('f0023.pgm is missing');
    expect(await allFrames(await openFrameSource(pattern, { frames: 3 }))).toHaveLength(3);
    expect(await allFrames(await openFrameSource(pattern, { frames: 2, start: { frame: 1 } }))).toHaveLength(2);
    await expectGreys(join(folder, 'f%d.pgm'), [1]);
  });

  it('counts on past its width, and knows %%', async () => {
    const folder = folderOf('wide', { '50%-99.pgm': 99, '50%-100.pgm': 100, '50%-101.pgm': 101 });
    await expectGreys(join(folder, '50%%-%02d.pgm'), [99, 100, 101]);
  });

  it('without a match names the pattern that the files have', async () => {
    const folder = folderOf('padded', { 'p0007.pgm': 7, 'q7.pgm': 7 });
    for (const [pattern, hint] of [
      ['p%d.pgm', ' (did you mean p%04d.pgm?)'],
      ['q%04d.pgm', ' (did you mean q%d.pgm?)'],
      ['r%d.pgm', ''],
    ] as const) {
      const path = join(folder, pattern);
      await expect(openFrameSource(path)).rejects.toMatchObject({ message: `no file matches ${path}${hint}` });
    }
  });

  it('without a match, or in a missing folder, is refused', async () => {
    await expect(openFrameSource(join(root, 'x%04d.png'))).rejects.toThrow(
      `no file matches ${join(root, 'x%04d.png')}`,
    );
    await expect(openFrameSource(join(root, 'nowhere', 'x%04d.png'))).rejects.toThrow(
      `${join(root, 'nowhere', 'x%04d.png')}: no such folder: ${join(root, 'nowhere')}`,
    );
  });
});

describe('a glob pattern', () => {
  it.each([
    ['f*.pgm', [1, 2, 10]],
    ['f?.pgm', [1, 2]],
    ['f[2-9].pgm', [2]],
    ['f[!2].pgm', [1]],
    ['{f1,g1}.pgm', [1, 3]],
    ['*', [1, 2, 10, 3]],
    ['../glo[b]/*1*', [1, 10, 3]],
  ])('%s', async (pattern, greys) => {
    const folder = folderOf('glob', { 'f1.pgm': 1, 'f2.pgm': 2, 'f10.pgm': 10, 'g1.pgm': 3, '.f3.pgm': 4 });
    writeFileSync(join(folder, 'f1.txt'), 'x');
    await expectGreys(join(folder, pattern).includes('..') ? pattern : `${folder}/${pattern}`, greys);
  });

  it('without a match is refused', async () => {
    await expect(openFrameSource(`${root}/*.nothing`)).rejects.toThrow(`${root}/*.nothing matches no images`);
  });

  it('is a plain name where a file is called so', async () => {
    const folder = folderOf('literal', { 'a[1].pgm': 5, 'a1.pgm': 6, 'b%d.pgm': 7 });
    await expectGreys(join(folder, 'a[1].pgm'), [5]);
    await expectGreys(join(folder, 'b%d.pgm'), [7]);
  });
});

describe('any images', () => {
  it('keep the rate and the limit that are given', async () => {
    const folder = folderOf('limit', { '1.pgm': 1, '2.pgm': 2, '3.pgm': 3 });
    const frameRate = { numerator: 24, denominator: 1 };
    const source = await openFrameSource(folder, { frames: 2, frameRate });
    expect(source).toMatchObject({ frameCount: 2, frameRate });
    expect(await allFrames(source)).toHaveLength(2);
    expect(await openFrameSource(folder, { frames: 9 })).toMatchObject({ frameCount: 3 });
  });

  it('come in order, whatever each takes to decode', async () => {
    const greys = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`${i}.pgm`, 8 * i]));
    await expectGreys(folderOf('many', greys), Object.values(greys));
  });

  it('stop at an abort, with its reason', async () => {
    const folder = folderOf('abort', { '1.pgm': 1, '2.pgm': 2, '3.pgm': 3 });
    const abort = new AbortController();
    const reason = new Error('enough');
    const seen: Frame[] = [];
    const reading = (async () => {
      for await (const frame of (await openFrameSource(folder)).frames(abort.signal)) {
        seen.push(frame);
        abort.abort(reason);
      }
    })();
    await expect(reading).rejects.toBe(reason);
    expect(seen).toHaveLength(1);
  });

  it('stop at an abort while a frame is awaited', async () => {
    const folder = folderOf('abort', { '1.pgm': 1, '2.pgm': 2, '3.pgm': 3 });
    const abort = new AbortController();
    const next = (await openFrameSource(folder)).frames(abort.signal)[Symbol.asyncIterator]().next();
    const reason = new Error('enough');
    abort.abort(reason);
    await expect(next).rejects.toBe(reason);
  });

  it('are put where they are wanted', async () => {
    const memory = {
      given: [] as Frame[],
      newFrame(): Frame {
        const frame = frameFromI420(4, 2, new Uint8Array(new SharedArrayBuffer(i420Bytes(4, 2))));
        this.given.push(frame);
        return frame;
      },
    };
    const source = await openFrameSource(folderOf('memory', { '1.pgm': 100, '2.pgm': 200 }));
    const frames: Frame[] = [];
    for await (const frame of source.frames(undefined, memory)) frames.push(frame);
    expect(frames.map(({ y }) => y[0])).toEqual([100, 200].map(lumaOf));
    for (const [i, frame] of frames.entries()) expect(frame).toBe(memory.given[i]);
  });

  it('are read only a few ahead', async () => {
    const greys = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`${i}.pgm`, i]));
    const folder = folderOf('ahead', greys);
    const frames = (await openFrameSource(folder)).frames()[Symbol.asyncIterator]();
    await frames.next();
    // What is not read yet may still change: the last image has been replaced by the time its turn comes.
    folderOf('ahead', { '11.pgm': 200 });
    let last: Frame | undefined;
    for (let next = await frames.next(); !next.done; next = await frames.next()) last = next.value;
    expect(last?.y[0]).toBe(lumaOf(200));
  });

  it.each([0, -1, 1.5, Number.NaN])('refuse a limit of %d frames', async frames => {
    await expect(openFrameSource(folderOf('bad', { '1.pgm': 1 }), { frames })).rejects.toMatchObject({
      name: 'OptionError',
      option: 'frames',
    });
  });

  it('refuse a size, which is for raw video', async () => {
    const size = { width: 4, height: 2 };
    await expect(openFrameSource(folderOf('sized', { '1.pgm': 1 }), { size })).rejects.toMatchObject({
      name: 'OptionError',
      option: 'size',
    });
  });
});
