// Frames from any one on: the same frames as those of the whole input, whatever kind it is.
import { execFileSync } from 'node:child_process';
import { getEventListeners } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { InputError, OptionError } from '../../../src/errors.js';
import { FrameRanges, openFrameRanges } from '../../../src/media/frames/frame-ranges.js';
import type { FrameSource, FrameStart } from '../../../src/media/frames/frame-source.js';
import { openFrameSource } from '../../../src/media/frames/open-frame-source.js';
import type { Frame, FrameRange } from '../../../src/picture/frame.js';
import { expectSameFrames } from '../../support/compare-frames.js';
import { packagedFfmpeg } from '../../support/decoders.js';
import {
  makeTestStream,
  readWithPackagedFfmpeg,
  runPackagedFfmpeg,
  temporaryFolder,
} from '../../support/ffmpeg-clips.js';
import { INPUT_SIZE, writeInputs } from './input-files.js';
import { expectClosed } from './open-files.js';

const folder = temporaryFolder();
const SIZE = INPUT_SIZE;
const COUNT = 40;
const { y4m, images, raw } = await writeInputs(folder, COUNT);
/** Its frames' lines have a parameter, so that frames cannot be found by counting bytes. */
const y4mWithParameters = join(folder, 'parameters.y4m');
writeFileSync(y4mWithParameters, readFileSync(y4m).toString('latin1').replaceAll('FRAME\n', 'FRAME Ip\n'), 'latin1');
const h264 = join(folder, 'clip.mkv');
runPackagedFfmpeg('-i', y4m, '-c:v', 'libx264', '-g', '15', '-bf', '3', '-pix_fmt', 'yuv420p', h264);
const mp4 = join(folder, 'clip.mp4');
runPackagedFfmpeg('-i', h264, '-c', 'copy', mp4);
const { stream } = makeTestStream(folder, { ...SIZE, frames: COUNT, extension: 'mpg' });

const INPUTS = {
  'a folder of images': images,
  'a y4m file': y4m,
  'a y4m file with parameters of frames': y4mWithParameters,
  'raw video': raw,
  'H.264 in Matroska': h264,
  'H.264 in MP4': mp4,
  'an MPEG-1 system stream': stream,
};

async function collect(source: AsyncIterable<Frame>): Promise<Frame[]> {
  const collected: Frame[] = [];
  for await (const frame of source) collected.push(frame);
  return collected;
}

/** How to open each of them. */
const optionsOf = (input: string) => (input === raw ? { size: SIZE } : {});

afterEach(() => void vi.unstubAllEnvs());

describe.each(Object.entries(INPUTS))('%s', (name, input) => {
  const RANGES: FrameRange[] = [
    { first: 17, count: 5 },
    { first: 22, count: 3 },
    { first: 0, count: 2 },
    { first: 31, count: 4, withoutSeeking: true },
    { first: 35 },
    { first: 1, count: 1 },
    { first: COUNT - 1, count: 9 },
  ];

  it('gives any range', async () => {
    vi.stubEnv('FFMPEG_PATH', packagedFfmpeg());
    const whole = await openFrameSource(input, optionsOf(input));
    const all = await collect(whole.frames());
    expect(all.length).toBeGreaterThanOrEqual(COUNT);
    const ranges = await openFrameRanges(input, optionsOf(input));
    for (const range of RANGES) {
      const { first, count = all.length } = range;
      // The machine's own ffmpeg, where there is one, searches; either reads what is not searched from its start.
      const isSearched = input !== stream && first > 0 && !range.withoutSeeking;
      vi.stubEnv('FFMPEG_PATH', isSearched ? '' : packagedFfmpeg());
      const given = await collect(ranges.frames(range));
      expectSameFrames(given, all.slice(first, first + count), `${name} from ${first}`);
    }
    expect(ranges.seeksRoughly).toBe(/264/.test(name));
    await ranges.close();
  });

  // Where ranges begin, either ffmpeg finds by itself; how they end is the reader's.
  describe('at an end', () => {
    readWithPackagedFfmpeg();

    it('has no frames beyond its end, and says so or gives none', async () => {
      const ranges = await openFrameRanges(input, optionsOf(input));
      const { length } = await collect(ranges.frames({ first: 0 }));
      const given = await collect(ranges.frames({ first: length, withoutSeeking: true })).catch(error => error);
      if (given instanceof Error) expect(given).toBeInstanceOf(InputError);
      else expect(given).toEqual([]);
      await ranges.close();
      await expectClosed(input);
    });

    it('ends with the reason of an abort, and can be read again after it', async () => {
      const ranges = await openFrameRanges(input, optionsOf(input));
      const stop = new AbortController();
      const reading = (async () => {
        for await (const _ of ranges.frames({ first: 3 }, stop.signal)) stop.abort(new Error('enough'));
      })();
      await expect(reading).rejects.toThrow('enough');
      await expectClosed(input);
      expect(await collect(ranges.frames({ first: 3, count: 2 }))).toHaveLength(2);
      await ranges.close();
    });
  });
});

describe('reading on', () => {
  it('opens an input once for ranges that follow each other', async () => {
    const starts: unknown[] = [];
    const ranges = await FrameRanges.open(start => {
      starts.push(start);
      return openFrameSource(y4m, start ? { start } : {});
    });
    for (const first of [0, 10, 20]) await collect(ranges.frames({ first, count: 10 }));
    expect(starts).toEqual([undefined]);
    await collect(ranges.frames({ first: 5, count: 10 }));
    expect(starts).toEqual([undefined, { frame: 5, seconds: undefined }]);
    await ranges.close();
  });

  it('gives nothing once it is closed, and leaves no file open', async () => {
    for (const read of [[], [{ first: 0, count: 2 }], [{ first: 5, count: 2 }]]) {
      const ranges = await openFrameRanges(y4m);
      for (const range of read) await collect(ranges.frames(range));
      await ranges.close();
      await ranges.close();
      for (const first of [0, 2, 7]) {
        const error = new InputError(`${y4m} has been closed: open it again`);
        await expect(collect(ranges.frames({ first }))).rejects.toThrow(error);
      }
      await expectClosed(y4m);
    }
  });

  it('ends a range that is being read with the same error', async () => {
    const ranges = await openFrameRanges(y4m);
    const frames = ranges.frames({ first: 0 });
    await frames.next();
    await ranges.close();
    await expect(frames.next()).rejects.toThrow(new InputError(`${y4m} has been closed: open it again`));
  });

  it('ends a range when another one is begun, and leaves no file open', async () => {
    const ranges = await openFrameRanges(y4m);
    const begun = 'has been begun: one at a time';
    const early = ranges.frames({ first: 0 });
    await early.next();
    expect(await collect(ranges.frames({ first: 1, count: 3 }))).toHaveLength(3); // would be read on
    await expect(early.next()).rejects.toThrow(begun);
    const together = [2, 12, 22].map(first => collect(ranges.frames({ first, count: 9 })));
    const ends = await Promise.allSettled(together);
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    for (const end of ends.slice(0, 2)) expect(String((end as PromiseRejectedResult).reason)).toContain(begun);
    const back = await Promise.allSettled([5, 0].map(first => collect(ranges.frames({ first, count: 3 }))));
    expect(back.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    await ranges.close();
    await expectClosed(y4m);
  });

  it('reads a range anew after one that was aborted and left', async () => {
    const ranges = await openFrameRanges(y4m);
    const abort = new AbortController();
    const left = ranges.frames({ first: 0 }, abort.signal);
    await left.next();
    abort.abort();
    await left.return(undefined);
    expect(await collect(ranges.frames({ first: 1, count: 2 }))).toHaveLength(2);
    await ranges.close();
  });

  it('closes what was being opened when it was closed', async () => {
    const ranges = await FrameRanges.open(async start => {
      if (start) await ranges.close();
      return openFrameSource(y4m, start ? { start } : {});
    });
    await expect(collect(ranges.frames({ first: 5 }))).rejects.toThrow('has been closed');
    await expectClosed(y4m);
  });

  it('is opened by a function, with options that are an object', async () => {
    await expect(FrameRanges.open('clip.y4m' as never)).rejects.toThrow("open 'clip.y4m' is not a function");
    await expect(openFrameRanges(y4m, 5 as never)).rejects.toThrow('the options are 5, not an object');
  });

  it.each([
    [undefined as never, 'first undefined is not a whole number of 0 or more'],
    [{ first: -1 }, 'first -1 is not a whole number of 0 or more'],
    [{ first: 1.5 }, 'first 1.5 is not a whole number of 0 or more'],
    [{ first: '1' as never }, "first '1' is not a whole number of 0 or more"],
    [{ first: Number.NaN }, 'first NaN is not a whole number of 0 or more'],
    [{ first: 0, count: -1 }, 'count -1 is not a whole number of 0 or more'],
    [{ first: 0, count: 2.5 }, 'count 2.5 is not a whole number of 0 or more'],
  ])('refuses the range %o', async (range, message) => {
    const ranges = await openFrameRanges(y4m);
    const error = new OptionError(message.split(' ')[0]!, message);
    await expect(collect(ranges.frames(range))).rejects.toThrow(error);
    await expect(collect(ranges.frames({ first: 0 }, 'stop' as never))).rejects.toThrow(
      "signal 'stop' is not an AbortSignal",
    );
    expect(await collect(ranges.frames({ first: 38, count: 5 }))).toHaveLength(2);
    await ranges.close();
  });

  it('reads a named pipe once', async () => {
    const pipe = join(folder, 'pipe.y4m');
    execFileSync('mkfifo', [pipe]);
    const writing = writeFile(pipe, readFileSync(y4m));
    const ranges = await openFrameRanges(pipe);
    expect(await collect(ranges.frames({ first: 0, count: 4 }))).toHaveLength(4);
    await expect(collect(ranges.frames({ first: 5, count: 4 }))).rejects.toThrow(/pipe\.y4m can be read once only/);
    await ranges.close();
    await writing.catch(() => {}); // the reader is gone
  });

  it('reads standard input once, in order', async () => {
    const ranges = await openFrameRanges('-', { stdin: Readable.from([readFileSync(y4m)]) });
    expect(await collect(ranges.frames({ first: 0, count: 4 }))).toHaveLength(4);
    expect(await collect(ranges.frames({ first: 4, count: 4 }))).toHaveLength(4);
    await expect(collect(ranges.frames({ first: 4, count: 4 }))).rejects.toThrow(
      /standard input can be read once only/,
    );
    await ranges.close();
  });
});

describe('an input that gives its frames slowly', () => {
  /** A video whose frames never come. Its reading ends with the reason of an abort, or when it is closed. */
  function silent(): FrameSource {
    let fail = (_: unknown): void => {};
    const end = new Promise<never>((_, reject) => {
      fail = reject;
    });
    end.catch(() => {});
    return {
      ...{ name: 'silent', ...SIZE },
      async *frames(signal) {
        signal?.addEventListener('abort', () => fail(signal.reason));
        yield await end;
      },
      close: async () => fail(new Error('its pipe has gone')),
    };
  }

  it('is left with the reason of an abort', async () => {
    const ranges = await FrameRanges.open(async () => silent());
    const stop = new AbortController();
    const next = ranges.frames({ first: 0 }, stop.signal).next();
    const reason = new Error('enough');
    const failing = expect(next).rejects.toBe(reason);
    await new Promise(resolve => setImmediate(resolve));
    stop.abort(reason);
    await failing;
  });

  it('says that it has been closed, not what became of its reading', async () => {
    const ranges = await FrameRanges.open(async () => silent());
    const next = ranges.frames({ first: 0 }).next();
    const failing = expect(next).rejects.toEqual(new InputError('silent has been closed: open it again'));
    await new Promise(resolve => setImmediate(resolve));
    await ranges.close();
    await failing;
  });
});

it('a range leaves nothing with a signal that outlives it', async () => {
  const ranges = await openFrameRanges(y4m);
  const { signal } = new AbortController();
  await collect(ranges.frames({ first: 0, count: 2 }, signal));
  for await (const _ of ranges.frames({ first: 2 }, signal)) break;
  await ranges.close();
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it('a video is searched a quarter of a frame before a frame; what was found so is not counted on', async () => {
  const frame = (await collect((await openFrameSource(y4m, { frames: 1 })).frames()))[0]!;
  const starts: (FrameStart | undefined)[] = [];
  const ranges = await FrameRanges.open(async start => {
    starts.push(start);
    return {
      ...{ name: 'video', ...SIZE, frameRate: { numerator: 50, denominator: 2 }, seeksRoughly: true },
      async *frames() {
        for (;;) yield frame;
      },
      close: async () => {},
    };
  });
  const range = { first: 5, count: 2 };
  await collect(ranges.frames(range));
  expect(starts.splice(0)).toEqual([undefined, { frame: 5, seconds: 0.19 }]);
  await collect(ranges.frames({ ...range, first: 7 })); // reads on
  expect(starts.splice(0)).toEqual([]);
  await collect(ranges.frames({ ...range, first: 9, withoutSeeking: true }));
  expect(starts.splice(0)).toEqual([{ frame: 9, seconds: undefined }]);
  await collect(ranges.frames({ ...range, first: 11, withoutSeeking: true })); // reads on
  expect(starts.splice(0)).toEqual([]);
  await collect(ranges.frames({ ...range, first: 0 }));
  await collect(ranges.frames({ ...range, first: 2, withoutSeeking: true })); // reads on
  expect(starts).toEqual([undefined]);
});

it('frames and start work together', async () => {
  vi.stubEnv('FFMPEG_PATH', packagedFfmpeg());
  for (const input of [y4m, h264, images]) {
    const source = await openFrameSource(input, { start: { frame: 8 }, frames: 3 });
    const given = await collect(source.frames());
    const all = await collect((await openFrameSource(input)).frames());
    expectSameFrames(given, all.slice(8, 11), input);
  }
});
