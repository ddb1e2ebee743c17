// Tests of reading and writing y4m.
import { createReadStream, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OptionError } from '../../../src/errors.js';
import { openFrameSource } from '../../../src/media/frames/open-frame-source.js';
import { parseY4mHeader } from '../../../src/media/frames/y4m/y4m-header.js';
import { type Y4mFormat, Y4mWriter } from '../../../src/media/output/y4m-writer.js';
import type { Frame } from '../../../src/picture/frame.js';
import { expectSameFrames } from '../../support/compare-frames.js';
import { framesFromY4m } from '../../support/decoders.js';
import { temporaryFolder } from '../../support/ffmpeg-clips.js';
import { allFrames, i420Of, patternFrame } from '../test-frames.js';
import { expectClosed } from './open-files.js';

const folder = temporaryFolder();
const frameRate = { numerator: 30000, denominator: 1001 };

function fileOf(name: string, ...parts: (string | Uint8Array)[]): string {
  const path = join(folder, name);
  writeFileSync(path, Buffer.concat(parts.map(part => Buffer.from(part as Uint8Array))));
  return path;
}

/** A y4m file with `chroma` (with its letter, or nothing) and frames of a pattern. */
function clip(name: string, { width = 5, height = 3, count = 3, chroma = ' C420jpeg', frameLine = 'FRAME\n' } = {}) {
  const frames = Array.from({ length: count }, (_, i) => patternFrame(width, height, i));
  const head = `YUV4MPEG2 W${width} H${height} F30000:1001 Ip A1:1${chroma}\n`;
  const path = fileOf(name, head, ...frames.flatMap(frame => [frameLine, i420Of(frame)]));
  return { path, frames, head };
}

async function failureOf(input: string, stdin?: Readable): Promise<Error> {
  try {
    await allFrames(await openFrameSource(input, stdin ? { stdin } : {}));
  } catch (error) {
    return error as Error;
  }
  throw new Error(`${input} was read without an error`);
}

describe('reading', () => {
  it.each(['', ' C420', ' C420jpeg', ' C420mpeg2', ' C420paldv'])('takes 4:2:0 as it is:%s', async chroma => {
    const { path, frames } = clip('chroma.y4m', { chroma });
    const source = await openFrameSource(path);
    expect(source).toMatchObject({ width: 5, height: 3, frameRate, frameCount: 3, name: path });
    expectSameFrames(await allFrames(source), frames);
  });

  it('gives mono neutral chroma', async () => {
    const luma = patternFrame(5, 3, 1).y;
    const path = fileOf('mono.y4m', 'YUV4MPEG2 W5 H3 F25:1 Cmono\nFRAME\n', luma);
    const source = await openFrameSource(path);
    expect(source.frameCount).toBe(1);
    const [frame] = await allFrames(source);
    expect(frame).toEqual({
      width: 5,
      height: 3,
      y: luma,
      u: new Uint8Array(6).fill(128),
      v: new Uint8Array(6).fill(128),
    });
  });

  it('skips what a frame line says, and then does not promise a count', async () => {
    const { path, frames } = clip('parameters.y4m', { frameLine: 'FRAME Ip Xhello\n' });
    const source = await openFrameSource(path);
    expectSameFrames(await allFrames(source), frames);
  });

  it.each([0, 5])('counts no frames by their bytes where lines say more, from frame %i on', async frame => {
    // 11 lines that are 3 bytes longer: as many bytes as 12 frames without.
    const { path, frames } = clip('even.y4m', { count: 11, frameLine: 'FRAME Ip\n' });
    const source = await openFrameSource(path, { start: { frame } });
    expect(source.frameCount).toBeUndefined();
    expectSameFrames(await allFrames(source), frames.slice(frame));
  });

  it('tells that standard input gives text', async () => {
    const { path } = clip('text.y4m');
    const error = await failureOf('-', createReadStream(path, 'latin1'));
    expect(error.message).toBe('standard input gives string, not bytes: open it without an encoding');
    expect(error.name).toBe('InputError');
  });

  it('comes from standard input in pieces of any size', async () => {
    const { path, frames } = clip('pieces.y4m', { width: 7, height: 6, count: 4 });
    const bytes = readFileSync(path);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 120 }), { minLength: 1, maxLength: 20 }), async sizes => {
        const pieces: Buffer[] = [];
        for (let at = 0, i = 0; at < bytes.length; at += sizes[i % sizes.length], i++) {
          pieces.push(bytes.subarray(at, at + sizes[i % sizes.length]));
        }
        const source = await openFrameSource('-', { stdin: Readable.from(pieces) });
        expect(source).toMatchObject({ name: 'standard input', frameRate });
        expectSameFrames(await allFrames(source), frames);
      }),
      { numRuns: 50 },
    );
  });

  it('takes another rate from the options, the frames as they are', async () => {
    const { path, frames } = clip('rate.y4m');
    const source = await openFrameSource(path, { frameRate: { numerator: 24, denominator: 1 } });
    expect(source.frameRate).toEqual({ numerator: 24, denominator: 1 });
    expectSameFrames(await allFrames(source), frames);
  });

  it('reads no further than the frames that are asked for', async () => {
    const { path, frames } = clip('limit.y4m');
    const damaged = fileOf('limit.y4m', readFileSync(path), 'FRAMF\n');
    const source = await openFrameSource(damaged, { frames: 3 });
    expectSameFrames(await allFrames(source), frames);
  });

  it('names standard input, and says why it cannot be read', async () => {
    const stdin = new Readable({
      read() {
        this.destroy(Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO', syscall: 'read' }));
      },
    });
    expect(await failureOf('-', stdin)).toMatchObject({
      name: 'InputError',
      message: 'standard input cannot be read: its storage reports a fault (EIO)',
    });
  });

  it('closes the file when the reader leaves early or never starts', async () => {
    const { path } = clip('early.y4m');
    const stdin = createReadStream(path);
    for await (const _ of (await openFrameSource('-', { stdin })).frames()) break;
    expect(stdin.destroyed).toBe(true);
    const unused = createReadStream(path);
    await (await openFrameSource('-', { stdin: unused })).close();
    expect(unused.destroyed).toBe(true);
  });

  it('closes the file when the receiver of a warning throws', async () => {
    const plane = Buffer.alloc(16);
    const alpha = fileOf('alpha.y4m', 'YUV4MPEG2 W4 H4 F25:1 C444alpha\nFRAME\n', plane, plane, plane, plane);
    const interlaced = fileOf('interlaced.y4m', 'YUV4MPEG2 W4 H4 F25:1 It\nFRAME\n', Buffer.alloc(24));
    const reason = new Error('enough');
    const onWarning = () => {
      throw reason;
    };
    for (const path of [alpha, interlaced]) {
      const stdin = createReadStream(path);
      await expect(openFrameSource('-', { stdin, onWarning })).rejects.toBe(reason);
      expect(stdin.destroyed).toBe(true);
    }
  });

  it('stops at an abort while it waits for bytes, with its reason', async () => {
    const { head } = clip('abort.y4m');
    const stdin = new Readable({ read: () => {} });
    stdin.push(head);
    const abort = new AbortController();
    const source = await openFrameSource('-', { stdin });
    const next = source.frames(abort.signal)[Symbol.asyncIterator]().next();
    const reason = new Error('enough');
    abort.abort(reason);
    await expect(next).rejects.toBe(reason);
    expect(stdin.destroyed).toBe(true);
  });
});

describe('a file that is', () => {
  it('truncated anywhere is refused, with the frame that is short', async () => {
    const { path, head } = clip('whole.y4m', { width: 3, height: 3, count: 2 });
    const bytes = readFileSync(path);
    const frameBytes = 9 + 2 * 4;
    const perFrame = 'FRAME\n'.length + frameBytes;
    for (let length = 0; length < bytes.length; length++) {
      const into = length - head.length;
      if (into === perFrame) continue;
      const cut = fileOf('cut.y4m', bytes.subarray(0, length));
      const error = await failureOf(cut);
      expect(error.name).toBe('InputError');
      expect(error.message.startsWith(cut)).toBe(true);
      if (into > 0)
        expect(error.message).toMatch(new RegExp(`truncated.*frame ${into < perFrame ? 0 : 1} \\(the first is 0\\)`));
    }
    expect((await failureOf(fileOf('cut.y4m', bytes.subarray(0, bytes.length - 5)))).message).toBe(
      `${join(folder, 'cut.y4m')} is truncated: frame 1 (the first is 0) has 12 of 17 bytes`,
    );
  });

  it.each([
    ['empty', '', 'is empty: it holds no frames'],
    ['something else', 'RIFF....AVI LIST\n', 'is not a y4m stream: it does not start with YUV4MPEG2'],
    ['binary without a line end', 'YUV4MPEG2 '.padEnd(9000, 'x'), 'no valid W'],
    [
      '4:4:0',
      'YUV4MPEG2 W4 H4 C440\n',
      'chroma format 440 is not supported; legal: 420, 422, 444, 411 and mono, 8 bits or as 420p10 up to 16, and 444a',
    ],
    ['11 bits deep', 'YUV4MPEG2 W4 H4 C420p11\n', 'chroma format 420p11 is not supported'],
    ['without a width', 'YUV4MPEG2 H4\n', 'no valid W'],
    ['of a strange height', 'YUV4MPEG2 W4 H-4\n', 'no valid H'],
    ['too wide', 'YUV4MPEG2 W4096 H4\n', 'is 4096x4; MPEG-1 pictures are 1x1 to 4095x2800 pels'],
    ['too high', 'YUV4MPEG2 W4 H2801\n', 'is 4x2801; MPEG-1 pictures'],
    ['of no size', 'YUV4MPEG2 W0 H4\n', 'is 0x4; MPEG-1 pictures'],
    ['of a strange rate', 'YUV4MPEG2 W4 H4 F25\n', "the y4m header's F25 is not a ratio"],
    ['of a strange pel shape', 'YUV4MPEG2 W4 H4 F25:1 Ax\n', "the y4m header's Ax is not a ratio"],
    ['only a header', 'YUV4MPEG2 W4 H4 F25:1\n', 'holds no frames'],
    ['cut at the end of its header', 'YUV4MPEG2 W4 H4 F25:1', 'is truncated in its y4m header'],
    [
      'of a header without an end',
      `YUV4MPEG2 W4 H4 X${'x'.repeat(5000)}\nFRAME\n${'y'.repeat(24)}`,
      'is truncated in its y4m header',
    ],
    [
      'too short, as older ffmpegs write odd widths of 10 bits',
      `YUV4MPEG2 W3 H1 F25:1 C420p10\n${`FRAME\n${'x'.repeat(12)}`.repeat(2)}`,
      'frame 1 (the first is 0) does not start with FRAME; ffmpeg 5.1 and older write frames of an odd width and more',
    ],
    [
      'one frame that is so',
      `YUV4MPEG2 W3 H1 F25:1 C422p10\nFRAME\n${'x'.repeat(12)}`,
      'has 12 of 14 bytes; ffmpeg 5.1 and older write frames of an odd width and more',
    ],
    ['out of step', 'YUV4MPEG2 W1 H1 F25:1\nFRAME\nabcXX', 'frame 1 (the first is 0) does not start with FRAME'],
  ])('%s is refused', async (_, content, message) => {
    const path = fileOf('bad.y4m', content);
    const error = await failureOf(path);
    expect(error).toMatchObject({ name: 'InputError' });
    expect(error.message).toContain(path);
    expect(error.message).toContain(message);
    await expectClosed(path);
  });
});

it('reads the parameters of a header that say what the frames are', () => {
  expect(parseY4mHeader('a', 'YUV4MPEG2 W352 H288 F24000:1001 It A128:117 C420mpeg2 XYSCSS=420MPEG2')).toEqual({
    width: 352,
    height: 288,
    frameRate: { numerator: 24000, denominator: 1001 },
    pelAspect: { width: 128, height: 117 },
    chroma: '420mpeg2',
    isFullRange: false,
    firstField: 'top',
  });
  for (const unknown of ['F0:0 A0:0', 'F25:0 A1:0', 'F0:1 A0:1']) {
    expect(parseY4mHeader('a', `YUV4MPEG2 W1 H1 ${unknown}`)).toEqual({
      width: 1,
      height: 1,
      chroma: '420jpeg',
      isFullRange: false,
    });
  }
});

it('refuses a terminal as standard input', async () => {
  const terminal = Object.assign(Readable.from([]), { isTTY: true });
  expect((await failureOf('-', terminal)).message).toBe('standard input is a terminal: pipe a y4m stream into it');
});

describe('writing', () => {
  it('gives what readers read', async () => {
    const path = join(folder, 'written.y4m');
    const frames = Array.from({ length: 3 }, (_, i) => patternFrame(15, 17, i));
    const writer = await Y4mWriter.open(path, { width: 15, height: 17, frameRate });
    for (const frame of frames) await writer.write(frame);
    expect(existsSync(path)).toBe(false);
    await writer.finish();
    expectSameFrames(framesFromY4m(readFileSync(path)), frames);
    const source = await openFrameSource(path);
    expect(source).toMatchObject({ frameRate, frameCount: 3 });
    expectSameFrames(await allFrames(source), frames);
  });

  it.each([
    ['no format', undefined],
    ['a rate that is a number', { width: 4, height: 4, frameRate: 25 }],
    ['a size that is not whole', { width: 4.5, height: 4, frameRate }],
    ['a size in words', { width: '4', height: 4, frameRate }],
    ['a shape that is a number', { width: 4, height: 4, frameRate, pelAspect: 1 }],
  ])('leaves no file for %s', async (_, format) => {
    const opening = Y4mWriter.open(join(folder, 'none.y4m'), format as Y4mFormat);
    await expect(opening).rejects.toThrow(OptionError);
    await expect(opening).rejects.toThrow(
      /^the format .* is not width, height and frameRate: \{ numerator, denominator/,
    );
    expect(readdirSync(folder).filter(name => name.includes('none'))).toEqual([]);
  });

  it('lets a frame be reused after its write', async () => {
    const path = join(folder, 'reused.y4m');
    const frame: Frame = patternFrame(700, 500, 1);
    const copy = { ...frame, y: frame.y.slice(), u: frame.u.slice(), v: frame.v.slice() };
    const writer = await Y4mWriter.open(path, { width: 700, height: 500, frameRate, pelAspect: undefined });
    await writer.write(frame);
    for (const plane of [frame.y, frame.u, frame.v]) plane.fill(0);
    await writer.finish();
    expectSameFrames(framesFromY4m(readFileSync(path)), [copy]);
  });

  it('refuses a frame of another size, and can be discarded', async () => {
    const path = join(folder, 'other.y4m');
    const writer = await Y4mWriter.open(path, { width: 4, height: 4, frameRate });
    await expect(writer.write(patternFrame(4, 6, 0))).rejects.toThrow(`${path}: a frame is 4x6, not 4x4`);
    const short = { ...patternFrame(4, 4, 0), v: new Uint8Array(3) };
    await expect(writer.write(short)).rejects.toThrow(`${path}: a frame: the plane v has 3 bytes, not 4`);
    await writer.discard();
    expect(existsSync(path)).toBe(false);
  });
});
