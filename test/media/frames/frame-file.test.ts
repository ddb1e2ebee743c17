// Tests of reading frames from a file straight into the memory where they stay.
import { appendFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openFrameSource } from '../../../src/media/frames/open-frame-source.js';
import { type Frame, type FrameMemory, frameFromI420, i420Bytes } from '../../../src/picture/frame.js';
import { expectSameFrames } from '../../support/compare-frames.js';
import { temporaryFolder } from '../../support/ffmpeg-clips.js';
import { i420Of, patternFrame } from '../test-frames.js';
import { expectClosed } from './open-files.js';

const folder = temporaryFolder();
const [width, height] = [34, 18];
const frames = Array.from({ length: 5 }, (_, i) => patternFrame(width, height, i));
const HEAD = `YUV4MPEG2 W${width} H${height} F25:1 C420\n`;

/** Memory, some of it shared between threads, that tells which frames it has given. */
class SomeMemory implements FrameMemory {
  readonly given: Frame[] = [];

  newFrame(): Frame {
    const buffer = new SharedArrayBuffer(i420Bytes(width, height));
    const frame = frameFromI420(width, height, new Uint8Array(buffer).fill(99));
    this.given.push(frame);
    return frame;
  }
}

function y4m(name: string, ...lines: string[]): string {
  const path = join(folder, name);
  const parts = frames.map((frame, i) => Buffer.concat([Buffer.from(lines[i] ?? 'FRAME\n'), i420Of(frame)]));
  writeFileSync(path, Buffer.concat([Buffer.from(HEAD), ...parts]));
  return path;
}

function yuv(name: string): string {
  const path = join(folder, name);
  writeFileSync(path, Buffer.concat(frames.map(i420Of)));
  return path;
}

/** Reads all frames into memory; returns them up to an error, and that. */
async function readAll(path: string, onFrame: (index: number) => void = () => {}, frame = 0) {
  const memory = new SomeMemory();
  const source = await openFrameSource(path, {
    ...(path.endsWith('.yuv') && { size: { width, height } }),
    start: { frame },
  });
  const read: Frame[] = [];
  let error: Error | undefined;
  try {
    for await (const frame of source.frames(undefined, memory)) {
      onFrame(read.length);
      read.push(frame);
    }
  } catch (thrown) {
    error = thrown as Error;
  }
  return { memory, read, error };
}

it.each(['y4m', 'yuv'])('puts the frames of a .%s where they are wanted', async ending => {
  const { memory, read, error } = await readAll(ending === 'y4m' ? y4m('whole.y4m') : yuv('whole.yuv'));
  expect(error).toBeUndefined();
  expectSameFrames(read, frames);
  for (const [i, frame] of read.entries()) expect(frame).toBe(memory.given[i]);
});

// Without its frame count, a file may hold frame lines of any length; with parameters that make up for each other's
// lengths, the count is whole, and still wrong.
it('reads on where frame lines have parameters', async () => {
  const whole = i420Bytes(width, height) + 'FRAME\n'.length;
  const lines = ['FRAME\n', 'FRAME\n', `FRAME X${'y'.repeat(whole - 2)}\n`, 'FRAME\n'];
  const { read, error } = await readAll(y4m('parameters.y4m', ...lines));
  expect(error).toBeUndefined();
  expectSameFrames(read, frames);
});

it('closes a file whose frame lines have parameters', async () => {
  const whole = i420Bytes(width, height) + 'FRAME\n'.length;
  const path = y4m('left.y4m', 'FRAME\n', `FRAME X${'y'.repeat(whole - 2)}\n`);
  const source = await openFrameSource(path);
  const iterator = source.frames()[Symbol.asyncIterator]();
  for (const frame of frames.slice(0, 2)) expectSameFrames([(await iterator.next()).value], [frame]);
  await source.close();
  await expectClosed(path);
});

it.each([0, 1, 2])('says which frame is damaged, also where reading begins at frame %i', async frame => {
  const { read, error } = await readAll(y4m('damaged.y4m', 'FRAME\n', 'FRAME\n', 'FRAMF\n'), () => {}, frame);
  if (frame < 2) expectSameFrames(read, frames.slice(frame, 2));
  expect(error?.message).toContain('frame 2 (the first is 0) does not start with FRAME');
});

it.each(['y4m', 'yuv'])('says that a .%s has become shorter while it was read', async ending => {
  const path = ending === 'y4m' ? y4m('shrinking.y4m') : yuv('shrinking.yuv');
  const { read, error } = await readAll(path, index => index === 0 && truncateSync(path, HEAD.length + 2000));
  expect(read.length).toBeLessThan(4);
  expectSameFrames(read, frames.slice(0, read.length));
  expect(error?.message).toMatch(/is truncated: frame [123] \(the first is 0\) has \d+ of 918 bytes/);
});

it('reads frames that are appended while it reads', async () => {
  const path = y4m('growing.y4m');
  const more = Buffer.concat([Buffer.from('FRAME\n'), i420Of(frames[0]!)]);
  const { read } = await readAll(path, index => index === 0 && appendFileSync(path, more));
  expectSameFrames(read, [...frames, frames[0]!]);
});

it.each(['y4m', 'yuv'])('gives no frame of a .%s that is closed while it is opened', async ending => {
  const path = ending === 'y4m' ? y4m('opening.y4m') : yuv('opening.yuv');
  const source = await openFrameSource(path, ending === 'yuv' ? { size: { width, height } } : {});
  const first = source.frames()[Symbol.asyncIterator]().next();
  const failing = expect(first).rejects.toThrow(`${path} cannot be read: it has been closed`);
  await source.close();
  await failing;
  await expectClosed(path);
});

it('ends with the reason of an abort, and with an error once the source is closed', async () => {
  const reason = new Error('enough');
  const abort = new AbortController();
  const aborted = (await openFrameSource(y4m('abort.y4m'))).frames(abort.signal)[Symbol.asyncIterator]();
  await aborted.next();
  abort.abort(reason);
  await expect(aborted.next()).rejects.toBe(reason);

  const source = await openFrameSource(y4m('close.y4m'));
  const iterator = source.frames()[Symbol.asyncIterator]();
  await iterator.next();
  await source.close();
  await iterator.next(); // was read ahead
  await new Promise(resolve => setImmediate(resolve)); // the frame after it fails, and nobody has asked for it yet
  await expect(iterator.next()).rejects.toThrow('close.y4m cannot be read');
});
