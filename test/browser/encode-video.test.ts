// Videos made in a page are the files that Node makes, and are made no faster than they are read.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { VideoContainer } from '../../src/media/containers/video-container.js';
import { encodeFiles } from '../../src/node.js';
import { describeWith } from '../support/requirements.js';
import { PackagePages, type PackageWindow } from './package-page.js';

const SIZE = { width: 48, height: 32 };
const OPTIONS = { q: 6, threads: 1, estimator: 'cpu-predictive' } as const;

/** A picture of colours that moves. */
function png(number: number): Promise<Buffer> {
  const pels = Uint8Array.from({ length: 3 * SIZE.width * SIZE.height }, (_, at) => {
    const [x, y] = [(Math.floor(at / 3) % SIZE.width) + 2 * number, Math.floor(at / 3 / SIZE.width) + number];
    return 128 + 60 * Math.sin(x / (4 + (at % 3))) + 50 * Math.cos(y / 5);
  });
  return sharp(pels, { raw: { ...SIZE, channels: 3 } })
    .png()
    .toBuffer();
}

describeWith('chromium', 'encodeVideo', () => {
  let pages: PackagePages;
  let page: Page;

  beforeAll(async () => {
    pages = await PackagePages.open();
    page = await pages.newPage();
  });

  afterAll(async () => {
    await pages?.close();
  });

  it('makes the .mpg, .ts and .m1v of Node from image files in any order, as blob, stream and file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mpegpu-page-'));
    const images = join(folder, 'images');
    await mkdir(images);
    const names = Array.from({ length: 11 }, (_, number) => `image${number}.png`);
    const contents = await Promise.all(names.map((_, number) => png(number)));
    await Promise.all(names.map((name, number) => writeFile(join(images, name), contents[number]!)));
    const files = names.map((name, number) => [name, contents[number]!.toString('base64')] as const);
    const run = async ([given, options]: [typeof files, typeof OPTIONS]) => {
      const { mpegpu } = window as unknown as PackageWindow;
      const read = async ([name, base64]: readonly [string, string]) => {
        const response = await fetch(`data:image/png;base64,${base64}`);
        return new File([await response.blob()], name);
      };
      // By name, 10 lies before 2.
      const files = (await Promise.all(given.map(read))).sort((a, b) => (a.name < b.name ? -1 : 1));
      const bytes = async (blob: Blob) => [...new Uint8Array(await blob.arrayBuffer())];
      const progress: unknown[] = [];
      const blob = await mpegpu
        .encodeVideo(files, { ...options, onProgress: (...counts) => void progress.push(counts) })
        .blob();
      const root = await navigator.storage.getDirectory();
      const handle = await root.getFileHandle('out.ts', { create: true });
      const saved = await mpegpu.encodeVideo(files, { ...options, format: 'ts' }).saveTo(handle);
      const parts: Uint8Array<ArrayBuffer>[] = [];
      const target = new WritableStream<Uint8Array<ArrayBuffer>>({ write: part => void parts.push(part) });
      const piped = await mpegpu.encodeVideo(files, { ...options, format: 'm1v' }).pipeTo(target);
      const [ts, m1v] = [await handle.getFile(), new Blob(parts)];
      const { statistics: _, seconds, ...summary } = saved;
      return {
        ...{ mpg: await bytes(blob), ts: await bytes(ts), m1v: await bytes(m1v) },
        ...{ type: blob.type, sizes: [ts.size - saved.bytes, m1v.size - piped.bytes], progress, summary, seconds },
      };
    };
    const found = await page.evaluate(run, [files, OPTIONS] as [typeof files, typeof OPTIONS]);
    for (const format of ['mpg', 'ts', 'm1v'] satisfies VideoContainer[]) {
      const path = join(folder, `out.${format}`);
      const { bits, bitRate, psnr, frameRate } = await encodeFiles(images, path, OPTIONS);
      expect(Buffer.from(found[format]).equals(await readFile(path)), format).toBe(true);
      if (format !== 'ts') continue;
      const counts = { taken: 11, repeated: 0, dropped: 0 };
      const made = { bytes: found.ts.length, frames: 11, ...SIZE, frameRate, source: counts, warnings: [] };
      expect(found.summary).toEqual({ bits, bitRate, psnr, ...made });
    }
    expect(found).toMatchObject({ type: 'video/mpeg', sizes: [0, 0] });
    expect(found.progress).toEqual(names.map((_, index) => [index + 1, 11]));
    expect(found.seconds).toBeGreaterThan(0);
    await rm(folder, { recursive: true });
  });

  it('takes no more of its source than its reader lets it, closes it when it is cancelled or aborted', async () => {
    const run = async ([width, height]: [number, number]) => {
      const { mpegpu, patternFrame } = window as unknown as PackageWindow;
      let [taken, ended] = [0, 0];
      const endless = async function* () {
        try {
          for (; ; taken++) yield patternFrame(width, height, taken);
        } finally {
          ended++;
        }
      };
      const options = { estimator: 'cpu-predictive', format: 'm1v', bFrames: 0, maxPendingPictures: 2 } as const;
      const settled = async () => {
        for (let before = -1; before < taken; await new Promise(resolve => setTimeout(resolve, 150))) before = taken;
        return taken;
      };
      const video = mpegpu.encodeVideo(endless(), options);
      const beforeRead = await settled();
      const reader = video.stream.getReader();
      await reader.read();
      const afterOne = await settled();
      for (let parts = 0; parts < 10; parts++) await reader.read();
      const afterEleven = await settled();
      await reader.cancel(new Error('no more'));
      const cancelled = await video.finished.catch(String);
      const left = mpegpu.encodeVideo(endless(), { ...options, onProgress: () => leaving.cancel(new Error('left')) });
      const leaving = left.stream.getReader();
      await leaving.read();
      const leftInside = await left.finished.catch(String);
      const abort = new AbortController();
      const aborted = mpegpu.encodeVideo(endless(), { ...options, signal: abort.signal });
      const blob = aborted.blob().catch(String);
      for (taken = 0; taken < 5; ) await new Promise(resolve => setTimeout(resolve, 5));
      abort.abort(new Error('enough'));
      const reasons = [await blob, await aborted.finished.catch(String)];
      return { beforeRead, afterOne, afterEleven, cancelled: [cancelled, leftInside], ended, aborted: reasons };
    };
    const found = await page.evaluate(run, [SIZE.width, SIZE.height] as [number, number]);
    expect(found.beforeRead).toBe(0);
    expect(found.afterOne).toBeLessThan(45);
    expect(found.afterEleven - found.afterOne).toBeLessThanOrEqual(10);
    const cancelled = ['Error: no more', 'Error: left'];
    expect(found).toMatchObject({ cancelled, ended: 3, aborted: ['Error: enough', 'Error: enough'] });
  });

  it('fails while nobody reads: aborted before or between reads or in a pipe that stalls, or by its source', async () => {
    const run = async ([width, height]: [number, number]) => {
      const { mpegpu, patternFrame } = window as unknown as PackageWindow;
      let ended = 0;
      const pictures = async function* (broken?: Promise<void>) {
        try {
          for (let number = 0; ; number++) {
            yield patternFrame(width, height, number);
            await broken;
            if (broken) throw new Error('the source broke');
          }
        } finally {
          ended++;
        }
      };
      const encode = (source: ReturnType<typeof pictures>, signal = new AbortController().signal) =>
        mpegpu.encodeVideo(source, { estimator: 'cpu-predictive', format: 'm1v', latency: 'low', signal });
      const afterReads = async ({ stream, finished }: ReturnType<typeof encode>, reads: number) => {
        const reader = stream.getReader();
        for (let read = 0; read < reads; read++) await reader.read();
        return [finished, reader.closed];
      };
      const early = await afterReads(encode(pictures(), AbortSignal.abort(new Error('too early'))), 0);
      const abort = new AbortController();
      const unread = await afterReads(encode(pictures(), abort.signal), 0);
      const between = await afterReads(encode(pictures(), abort.signal), 2);
      const { finished, stream } = encode(pictures(), abort.signal);
      await new Promise<void>(resolve => {
        void stream.pipeTo(new WritableStream({ write: () => new Promise<never>(() => resolve()) }));
      });
      abort.abort(new Error('enough'));
      let breakSource = () => {};
      const broken = new Promise<void>(resolve => {
        breakSource = resolve;
      });
      const failed = await afterReads(encode(pictures(broken)), 1);
      breakSource();
      const late = new Promise(resolve => setTimeout(resolve, 3000, 'nothing'));
      const told = (promises: Promise<unknown>[]) =>
        Promise.all(promises.map(promise => Promise.race([promise.catch(String), late])));
      const aborted = await told([...unread, ...between, finished]);
      return { early: await told(early), aborted, failed: await told(failed), ended };
    };
    const times = (count: number, text: string) => new Array<string>(count).fill(text);
    expect(await page.evaluate(run, [SIZE.width, SIZE.height] as [number, number])).toEqual({
      early: times(2, 'Error: too early'),
      aborted: times(5, 'Error: enough'),
      failed: times(2, 'Error: the source broke'),
      ended: 3, // of the two that nobody read, none began
    });
  });

  it('gives VideoFrames their places in time, scales later ones, and closes all', async () => {
    const run = async () => {
      const { mpegpu } = window as unknown as PackageWindow;
      const open: VideoFrame[] = [];
      const stream = new ReadableStream<VideoFrame>({
        start(controller) {
          // At 25 a second: 0, 1, 4 (3 µs late), 4 again, 5 for three periods.
          for (const [index, timestamp] of [1e6, 1_040_000, 1_160_003, 1_165_000, 1_200_000].entries()) {
            const size = index === 2 ? 8 : 16;
            const bytes = new Uint8Array(size * size * 1.5).fill(40 + 20 * index);
            const colorSpace = { matrix: 'smpte170m' } as const;
            const shape = { format: 'I420', codedWidth: size, codedHeight: size, colorSpace } as const;
            const frame = new VideoFrame(bytes, { ...shape, timestamp, duration: index < 4 ? 40_000 : 120_000 });
            open.push(frame);
            controller.enqueue(frame);
          }
          controller.close();
        },
      });
      const frames = await mpegpu.openFrames(stream);
      const luma: (number | undefined)[] = [];
      for await (const { y } of frames) luma.push(y[0]);
      const { width, height, frameRate, counts } = frames;
      return { luma, width, height, frameRate, counts, closed: open.every(frame => frame.format === null) };
    };
    const { luma, ...found } = await page.evaluate(run);
    luma.splice(4, 1, 80 + (luma[4]! > 76 && luma[4]! < 84 ? 0 : 100)); // scaled, so by RGB
    expect(luma).toEqual([40, 60, 60, 60, 80, 120, 120, 120]);
    expect(found).toEqual({
      ...{ width: 16, height: 16, frameRate: { numerator: 25, denominator: 1 }, closed: true },
      counts: { taken: 5, repeated: 4, dropped: 1 },
    });
  });

  it.each([true, false])(
    'encodes a camera until its track ends, at its rate; with a processor: %s',
    async hasProcessor => {
      const run = async (hasProcessor: boolean) => {
        const { mpegpu } = window as unknown as PackageWindow;
        if (!hasProcessor) Object.assign(window, { MediaStreamTrackProcessor: undefined });
        const stream = await navigator.mediaDevices.getUserMedia({ video: { width: 96, height: 64, frameRate: 30 } });
        const [track] = stream.getVideoTracks();
        const options = { format: 'ts', estimator: 'cpu-predictive', preset: 'fastest' } as const;
        const video = mpegpu.encodeVideo(stream, {
          ...options,
          onProgress: frames => void (frames >= 4 && track!.stop()),
        });
        const blob = await video.blob();
        const { frames, source, frameRate, width, height } = await video.finished;
        return { type: blob.type, size: blob.size, frames, source, frameRate, width, height };
      };
      const { frames, size, source, ...rest } = await page.evaluate(run, hasProcessor);
      expect(frames).toBeGreaterThanOrEqual(4);
      expect(frames).toBe(source.taken + source.repeated - source.dropped);
      expect(size % 188).toBe(0);
      // Chromium's false camera gives 20 pictures a second.
      expect(rest).toMatchObject({ type: 'video/mp2t', frameRate: { numerator: 24_000, denominator: 1001 } });
    },
  );

  it('makes the same file in a worker, where canvases are drawn and read without the page', async () => {
    const run = async ([width, height, options]: [number, number, typeof OPTIONS]) => {
      const { mpegpu } = window as unknown as PackageWindow;
      const bitmaps = () =>
        Promise.all(
          Array.from({ length: 4 }, (_, number) => {
            const context = new OffscreenCanvas(width, height).getContext('2d')!;
            context.fillStyle = `hsl(${80 * number} 70% 50%)`;
            context.fillRect(3 * number, number, 20, 20);
            return createImageBitmap(context.canvas);
          }),
        );
      const address = new URL('browser.js', location.href).href;
      const code = `onmessage = async ({ data: [pictures, options] }) => {
        const { encodeVideo } = await import('${address}');
        postMessage(await encodeVideo(pictures, options).blob());
      };`;
      const worker = new Worker(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })), { type: 'module' });
      const transferred = await bitmaps();
      const answer = new Promise<Blob>(resolve => {
        worker.onmessage = ({ data }) => resolve(data);
      });
      worker.postMessage([transferred, options], transferred);
      const files = [await mpegpu.encodeVideo(await bitmaps(), options).blob(), await answer];
      worker.terminate();
      return Promise.all(files.map(async file => [...new Uint8Array(await file.arrayBuffer())]));
    };
    const [inPage, inWorker] = await page.evaluate(run, [SIZE.width, SIZE.height, OPTIONS] as [
      number,
      number,
      typeof OPTIONS,
    ]);
    expect(inPage!.length).toBeGreaterThan(500);
    expect(inWorker).toEqual(inPage);
  });

  it('says what is wrong with a source, an option or a function of the page', async () => {
    const run = async () => {
      const { mpegpu } = window as unknown as PackageWindow;
      const image = (size: number) => new ImageData(size, size);
      const failing = async function* () {
        yield image(16);
        throw new Error('the source broke');
      };
      const text = async (source: unknown, options: object = {}) => {
        try {
          await mpegpu.encodeVideo(source as ImageData[], { estimator: 'cpu-predictive', ...options }).blob();
          return 'nothing';
        } catch (error) {
          return String(error);
        }
      };
      const broken = () => Promise.reject(new Error('the page broke'));
      const traits = { name: 'jammed', runsOn: 'js', exhaustive: true };
      const jammed = async () => ({ traits, device: 'CPU', estimate: broken, close: broken });
      return [
        await text([image(16)], { formt: 'ts' }),
        await text([image(16)], { format: 'mp4' }),
        await text([image(16)], { target: 'jsmpeg' }),
        await text([image(16)], { frameRate: 26 }),
        await text([image(16)], { background: 'plaid' }),
        await text([image(16)], { q: 0 }),
        await text([image(16)], { onProgress: 5 }),
        await text([image(16)], { signal: 'stop' }),
        await text([]),
        await text(7),
        await text('abc'),
        await text([new OffscreenCanvas(5000, 100)]),
        await text([image(16), image(32)]),
        await text([new Image()]),
        await text([new File(['no image'], 'a.png')]),
        await text(failing()),
        await text([image(16)], { onProgress: broken }),
        await text([image(16)], { onWarning: broken, estimator: jammed }),
      ];
    };
    expect(await page.evaluate(run)).toEqual([
      "OptionError: the option 'formt' does not exist; did you mean format?",
      "OptionError: format 'mp4' does not exist (did you mean mpg?); legal: mpg, ts, m1v",
      'OptionError: target jsmpeg needs format ts, not mpg',
      expect.stringMatching(/^OptionError: frameRate 26 is not one of MPEG-1's rates; legal: 23.976/),
      "OptionError: background 'plaid' is not a colour of CSS",
      'OptionError: q 0 is not a whole number from 1 to 31',
      'OptionError: onProgress 5 is not a function',
      "OptionError: signal 'stop' is not an AbortSignal",
      'InputError: the source has no pictures',
      expect.stringMatching(/^InputError: the source is of class Number; legal: a MediaStreamTrack/),
      expect.stringMatching(/^InputError: the source is of class String; legal: a MediaStreamTrack/),
      'InputError: picture 0 is 5000x100; at most 4095x2800: scale makes it smaller',
      'InputError: picture 1 is 32x32, but the first is 16x16: all frames have one size, which scale can give them',
      'InputError: the image has no pels: wait for its decode(), and give an SVG a width and a height',
      expect.stringMatching(/^InputError: a.png is not an image that this browser reads: /),
      'Error: the source broke',
      'Error: the page broke',
      'Error: the page broke',
    ]);
  });

  it('leaves no worker and no error that nobody caught', async () => {
    await expect.poll(() => pages.workers()).toBe(0);
    expect(pages.errors).toEqual([]);
  });
});
