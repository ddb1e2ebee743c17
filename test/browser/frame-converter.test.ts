// Wrong options, sources and targets that are refused without a page; GPUs that are of no use to a FrameConverter.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WorkerEncoder } from '../../src/browser/encoder/worker-encoder.js';
import { FrameConverter } from '../../src/browser/frames/frame-converter.js';
import { openFrames } from '../../src/browser/sources/open-frames.js';
import { encodeVideo } from '../../src/browser/video/encode-video.js';
import { describeWith } from '../support/requirements.js';
import { patternFrame } from './moving-frames.js';
import { PackagePages, type PackageWindow } from './package-page.js';

const FRAME = patternFrame(32, 16, 0);

it('are refused by name', () => {
  const options = { convert: 'cpu' as const, backround: 'red' };
  expect(() => new FrameConverter(options)).toThrow("the option 'backround' does not exist; did you mean background?");
  expect(() => new FrameConverter({ background: 5 as never })).toThrow('background 5 is not a colour of CSS');
});

it.each<[object | null, string]>([
  [null, 'the options are null, not an object'],
  [{ frameRat: 25 }, "the option 'frameRat' does not exist; did you mean frameRate?"],
  [{ signal: 'stop' }, "signal 'stop' is not an AbortSignal"],
])('openFrames refuses the options %j', async (options, message) => {
  await expect(openFrames([FRAME], options as object)).rejects.toMatchObject({ name: 'OptionError', message });
});

it.each([
  [{ width: undefined }, 'undefinedx16'],
  [{ width: '32' }, "'32'x16"],
  [{ height: 0 }, '32x0'],
])('openFrames refuses a Frame without a size: %j', async (wrong, size) => {
  const message = `picture 0 is ${size}: width and height of a frame are whole numbers of 1 or more pels`;
  const opening = openFrames([{ ...FRAME, ...wrong } as typeof FRAME]);
  await expect(opening).rejects.toMatchObject({ name: 'InputError', message });
});

it('add of a WorkerEncoder refuses options, before it starts a worker', async () => {
  const encoder = new WorkerEncoder({ width: 32, height: 16, frameRate: 25 });
  await expect(encoder.add(FRAME, null as never)).rejects.toThrow('the options are null, not an object');
  const message = "transfer 'no' is not true or false";
  await expect(encoder.add(FRAME, { transfer: 'no' as never })).rejects.toMatchObject({ name: 'OptionError', message });
});

it('saveTo and pipeTo refuse a target that is none', async () => {
  const legal = 'legal: a WritableStream, and for saveTo a FileSystemFileHandle';
  for (const [target, given] of [
    [undefined, 'undefined'],
    ['a.mpg', "'a.mpg'"],
    [{}, 'of class Object'],
  ]) {
    const error = { name: 'InputError', message: `the target is ${given}; ${legal}` };
    await expect(encodeVideo([FRAME]).saveTo(target as never)).rejects.toMatchObject(error);
    await expect(encodeVideo([FRAME]).pipeTo(target as never)).rejects.toMatchObject(error);
  }
});

it('a source is told by its first failure, and a sample that gives no VideoFrame is closed', async () => {
  const broken = {
    [Symbol.iterator]: () => ({
      next: () => {
        throw new Error('the source broke');
      },
      return: () => {
        throw new Error('and cannot be ended');
      },
    }),
  };
  await expect(openFrames(broken)).rejects.toThrow('the source broke');
  let closed = 0;
  const toVideoFrame = () => {
    throw new Error('no frame');
  };
  await expect(openFrames([{ toVideoFrame, close: () => closed++ }])).rejects.toThrow('no frame');
  expect(closed).toBe(1);
});

describeWith('chromium', 'a GPU', () => {
  let pages: PackagePages;

  beforeAll(async () => {
    pages = await PackagePages.open({}, { gpu: true });
  });

  afterAll(async () => {
    expect(pages?.errors).toEqual([]);
    await pages?.close();
  });

  it.each([
    ['fails', 'UnsupportedError: the GPU cannot be used: broken'],
    ['never answers', 'UnsupportedError: the GPU has not answered for 120 s'],
  ])('that %s is an UnsupportedError where it is asked for', async (what, expected) => {
    const page = await pages.newPage();
    const run = (neverAnswers: boolean) => {
      const { mpegpu } = window as unknown as PackageWindow;
      const wait = setTimeout;
      if (neverAnswers) window.setTimeout = ((call: () => void, ms = 0) => wait(call, ms / 1000)) as typeof setTimeout;
      GPU.prototype.requestAdapter = async () => {
        if (neverAnswers) await new Promise(() => {});
        throw new TypeError('broken');
      };
      const converter = new mpegpu.FrameConverter({ convert: 'gpu' });
      const canvas = new OffscreenCanvas(16, 16);
      canvas.getContext('2d');
      return converter.convert(canvas).then(() => 'nothing', String);
    };
    expect(await page.evaluate(run, what === 'never answers')).toBe(expected);
  });

  it('that no longer answers is replaced by the CPU', async () => {
    const page = await pages.newPage();
    const run = async () => {
      const { mpegpu } = window as unknown as PackageWindow;
      const converter = new mpegpu.FrameConverter({ convert: 'gpu' });
      const canvas = new OffscreenCanvas(16, 16);
      canvas.getContext('2d')!.fillRect(0, 0, 16, 16);
      await converter.convert(canvas); // opens the GPU
      const wait = setTimeout;
      window.setTimeout = ((call: () => void, ms = 0) => wait(call, ms / 100)) as typeof setTimeout;
      let asked = 0;
      GPUBuffer.prototype.mapAsync = () => {
        asked++;
        return new Promise(() => {});
      };
      const lumas = [await converter.convert(canvas), await converter.convert(canvas)].map(({ y }) => y[0]);
      return { asked, lumas };
    };
    expect(await page.evaluate(run)).toEqual({ asked: 1, lumas: [16, 16] });
  });
});
