// Tests of what may be an input: files, folders and pipes, of a bounded size; errors name the input.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readQuantizerMatrix } from '../../src/cli/encode/quantizer-matrix-file.js';
import { Truth } from '../../src/cli/estimate/estimate-truth.js';
import { openFrameSource } from '../../src/media/frames/open-frame-source.js';
import { decodeImage } from '../../src/media/images/image-decoder.js';
import { readInput } from '../../src/media/input-file.js';
import { readGrayImage } from '../../src/media/maps/gray-image.js';
import { expectSameFrames } from '../support/compare-frames.js';
import { runPackagedFfmpeg, temporaryFolder } from '../support/ffmpeg-clips.js';
import { allFrames, i420Of, patternFrame } from './test-frames.js';

const folder = temporaryFolder();
const at = (...parts: string[]) => join(folder, ...parts);
const readFrames = async (path: string, options = {}) => allFrames(await openFrameSource(path, options));
const size = { width: 5, height: 3 };
const frames = [patternFrame(5, 3, 1), patternFrame(5, 3, 2)];
const y4m = Buffer.concat(
  ['YUV4MPEG2 W5 H3 F25:1\n', ...frames.flatMap(frame => ['FRAME\n', i420Of(frame)])].map(part =>
    Buffer.from(part as Uint8Array),
  ),
);
const image = Buffer.from('P5 1 1 255\n\x07');

/** Expects one InputError that starts with the name of the input. */
async function expectRefusal(reading: Promise<unknown>, name: string, reason: RegExp): Promise<void> {
  const error = (await reading.catch((thrown: Error) => thrown)) as Error;
  expect(error).toMatchObject({ name: 'InputError' });
  expect(error.message).toMatch(reason);
  expect(error.message.startsWith(name)).toBe(true);
  expect(error.message).not.toContain('\n');
}

function pipe(name: string): string {
  execFileSync('mkfifo', [at(name)]);
  return at(name);
}

const onUnix = describe.runIf(process.platform !== 'win32');

onUnix('a device', () => {
  it.each(['png', 'y4m', 'yuv', 'mp4'])('is refused by a link that is called .%s', async ending => {
    const link = at(`device.${ending}`);
    symlinkSync('/dev/null', link);
    const options = ending === 'yuv' ? { size } : {};
    await expectRefusal(readFrames(link, options), link, /is a device; a file or a pipe is needed$/);
  });

  it('is refused in a folder of images', async () => {
    mkdirSync(at('images'));
    writeFileSync(at('images', '1.pgm'), image);
    symlinkSync('/dev/null', at('images', '2.pgm'));
    await expectRefusal(readFrames(at('images')), at('images', '2.pgm'), /is a device/);
  });

  it('is refused as a map, as the truth and as a matrix', async () => {
    for (const read of [
      readGrayImage,
      readQuantizerMatrix,
      (truth: string) => Truth.read({ truth }, size),
      (mask: string) => Truth.read({ disparity: mask, mask }, size),
    ]) {
      await expectRefusal(read('/dev/null'), '/dev/null', /is a device/);
    }
  });
});

describe('a folder or a socket in place of a file', () => {
  it('is refused', async () => {
    mkdirSync(at('folder.png'));
    await expectRefusal(decodeImage(at('folder.png')), at('folder.png'), /is a folder; a file or a pipe is needed$/);
    await expectRefusal(readQuantizerMatrix(folder), folder, /is a folder/);
    const server = createServer().listen(at('socket.png'));
    await new Promise(resolve => server.once('listening', resolve));
    await expectRefusal(readFrames(at('socket.png')), at('socket.png'), /is a socket; a file or a pipe is needed$/);
    server.close();
  });
});

describe('a file that is larger than any legal one', () => {
  it.each([
    ['an image', decodeImage, 275_184_000],
    ['a map', readGrayImage, 275_184_000],
    ['a matrix', readQuantizerMatrix, 65_536],
    ['a flow', (truth: string) => Truth.read({ truth }, size), 91_728_012],
  ])('is refused before it is read: %s', async (_, read: (path: string) => Promise<unknown>, maxBytes) => {
    const path = at('large');
    writeFileSync(path, '');
    truncateSync(path, maxBytes + 1); // a hole: no block of the disk is taken
    await expectRefusal(read(path), path, new RegExp(`has more than ${maxBytes} bytes, the most that are read$`));
  });

  it('is refused while it is read, if the system cannot tell its size', async () => {
    const path = pipe('matrix');
    const writing = writeFile(path, Buffer.alloc(1 << 17, '8 ')).catch(() => {});
    await expectRefusal(readQuantizerMatrix(path), path, /has more than 65536 bytes/);
    await writing;
  });
});

onUnix('a pipe', () => {
  it.each([
    ['frames.y4m', {}, y4m],
    ['frames.yuv', { size }, Buffer.concat(frames.map(i420Of))],
    ['frames', {}, y4m],
  ])('is read as a file is: %s', async (name, options, content) => {
    const [read] = await Promise.all([readFrames(pipe(name), options), writeFile(at(name), content)]);
    expectSameFrames(read, frames);
  });

  it('may hold an image, or a video', async () => {
    const [decoded] = await Promise.all([decodeImage(pipe('image')), writeFile(at('image'), image)]);
    expect(decoded).toMatchObject({ width: 1, height: 1 });
    writeFileSync(at('clip.y4m'), y4m);
    runPackagedFfmpeg('-i', at('clip.y4m'), '-c:v', 'ffv1', at('clip.nut'));
    const writing = writeFile(pipe('video'), readFileSync(at('clip.nut')));
    expectSameFrames(await readFrames(at('video')), frames);
    await writing;
  });

  it.runIf(process.platform === 'linux')('and a file are read as /dev/fd/N, which /dev/stdin is', async () => {
    const file = openSync(at('clip.nut'), 'r');
    expectSameFrames(await readFrames(`/dev/fd/${file}`), frames);
    closeSync(file);
    const both = openSync(pipe('both'), 'r+'); // it is its own writer
    const written = writeSync(both, y4m);
    const opened = await openFrameSource(`/dev/fd/${both}`, { frames: 2 });
    expect(written).toBe(y4m.length);
    expectSameFrames(await allFrames(opened), frames);
    closeSync(both);
  });

  it('without a writer does not keep other files from being read', async () => {
    const pipes = Array.from({ length: 8 }, (_, i) => pipe(`silent${i}.png`));
    const waiting = pipes.map(path => decodeImage(path).catch((error: Error) => error));
    writeFileSync(at('other.pgm'), image);
    const other = decodeImage(at('other.pgm'));
    const watchdog = new Promise(resolve => setTimeout(resolve, 20_000, 'too late'));
    expect(await Promise.race([other, watchdog])).toMatchObject({ width: 1, height: 1 });
    for (const path of pipes) closeSync(openSync(path, 'w'));
    for (const error of await Promise.all(waiting)) expect(error).toMatchObject({ name: 'InputError' });
  });
});

describe('an error of the system names the input', () => {
  it('a loop of links, a path through a file, a name that is too long', async () => {
    symlinkSync('loop.png', at('loop.png'));
    await expectRefusal(readFrames(at('loop.png')), at('loop.png'), /its symbolic links lead in a circle \(ELOOP\)$/);
    writeFileSync(at('file'), '');
    await expectRefusal(decodeImage(at('file', 'a.png')), at('file', 'a.png'), /a part of its path is a file.*ENOTDIR/);
    const long = at(`${'n'.repeat(256)}.png`);
    await expectRefusal(readFrames(long), long, /its name is too long \(ENAMETOOLONG\)$/);
  });

  it('names and patterns of the greatest legal length are read', async () => {
    const name = at(`${'n'.repeat(251)}.pgm`);
    writeFileSync(name, image);
    expect(await readFrames(name)).toHaveLength(1);
    const pattern = at(`{${'x'.repeat(300)},${'n'.repeat(251)}}.pgm`);
    expect(await readFrames(pattern)).toHaveLength(1);
    await expectRefusal(readFrames(at('%0999999999999d.pgm')), 'no file matches', /999d\.pgm$/);
  });

  it.runIf(process.platform === 'linux')('a file of the kernel, which has no length, is read to its end', async () => {
    const status = await readInput('/proc/self/status', 1 << 20);
    expect(new TextDecoder().decode(status)).toMatch(/^Name:.*nonvoluntary_ctxt_switches:\t\d+\n$/s);
    await expectRefusal(readInput('/proc/self/status', 64), '/proc/self/status', /has more than 64 bytes/);
  });

  it.runIf(process.platform === 'linux')('a fault of the storage', async () => {
    await expectRefusal(
      readQuantizerMatrix('/proc/self/mem'),
      '/proc/self/mem',
      /its storage reports a fault \(EIO\)$/,
    );
  });

  it.runIf(process.platform !== 'win32' && process.seteuid)('a folder that may not be read', async () => {
    mkdirSync(at('closed'));
    writeFileSync(at('closed', '1.pgm'), image);
    chmodSync(at('closed'), 0o000);
    chmodSync(folder, 0o755);
    const isRoot = process.geteuid!() === 0;
    if (isRoot) process.seteuid!(65534);
    try {
      for (const input of [at('closed'), at('closed', '*.pgm'), at('closed', '%d.pgm')]) {
        const named = input.endsWith('%d.pgm') ? input : at('closed');
        await expectRefusal(readFrames(input), named, /cannot be read: permission denied \(EACCES\)$/);
      }
    } finally {
      if (isRoot) process.seteuid!(0);
      chmodSync(at('closed'), 0o755);
    }
  });
});
