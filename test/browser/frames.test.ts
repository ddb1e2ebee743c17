// Frames from what a page has: their colours are those of Node's path, and of the arithmetic in doubles.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { decodeImage } from '../../src/media/images/image-decoder.js';
import { rgbToFrame } from '../../src/picture/rgb-to-frame.js';
import { describeWith } from '../support/requirements.js';
import { PackagePages, type PackageWindow } from './package-page.js';

/** Odd, so that the last column and row of chroma count twice. */
const SIZE = { width: 33, height: 19 };

type Planes = readonly (readonly number[])[];

/** Saturated and grey pels, edges and ramps; the last lines half transparent where `alpha` is 4. */
function pels(channels: 3 | 4): Uint8Array {
  return Uint8Array.from({ length: channels * SIZE.width * SIZE.height }, (_, at) => {
    const [pel, channel] = [Math.floor(at / channels), at % channels];
    const [x, y] = [pel % SIZE.width, Math.floor(pel / SIZE.width)];
    if (channel === 3) return y > 12 ? 40 * (y - 12) : 255;
    if (y < 6) return ((x >> 2) >> channel) % 2 ? 255 : 0;
    return (x * 7 + y * (11 + 5 * channel)) % 256;
  });
}

/** The largest difference between samples of two frames. */
function difference(a: Planes, b: Planes): number {
  expect(a.map(plane => plane.length)).toEqual(b.map(plane => plane.length));
  return Math.max(...a.flatMap((plane, index) => plane.map((value, at) => Math.abs(value - b[index]![at]!))));
}

describeWith('chromium', 'FrameConverter', () => {
  let pages: PackagePages;
  let page: Page;

  beforeAll(async () => {
    pages = await PackagePages.open({}, { gpu: true });
    page = await pages.newPage();
  });

  afterAll(async () => {
    expect(pages?.errors).toEqual([]);
    await pages?.close();
  });

  it('gives the frame of Node for a PNG, as an image file, bitmap, element, canvas or pels', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mpegpu-frames-'));
    const found: Record<string, number> = {};
    for (const channels of [3, 4] as const) {
      const png = await sharp(pels(channels), { raw: { ...SIZE, channels } })
        .png()
        .toBuffer();
      const file = join(folder, `${channels}.png`);
      await writeFile(file, png);
      const { y, u, v } = rgbToFrame(await decodeImage(file));
      const run = async ([url, hasAlpha]: [string, boolean]) => {
        const converter = new (window as unknown as PackageWindow).mpegpu.FrameConverter();
        const blob = await (await fetch(url)).blob();
        const bitmap = await createImageBitmap(blob);
        const image = new Image();
        image.src = url;
        await image.decode();
        const drawn = <Canvas extends HTMLCanvasElement | OffscreenCanvas>(canvas: Canvas) => {
          const context = canvas.getContext('2d') as CanvasRenderingContext2D;
          context.drawImage(bitmap, 0, 0);
          return { canvas, data: context.getImageData(0, 0, bitmap.width, bitmap.height) };
        };
        const element = Object.assign(document.createElement('canvas'), { width: bitmap.width, height: bitmap.height });
        const { canvas } = drawn(element);
        const { canvas: offscreen, data } = drawn(new OffscreenCanvas(bitmap.width, bitmap.height));
        // Not of the bitmap: Chromium multiplies such pels by their alpha and does not say so.
        const shape = { format: 'RGBA', codedWidth: bitmap.width, codedHeight: bitmap.height, timestamp: 0 } as const;
        const video = new VideoFrame(data.data, shape);
        const sample = { toVideoFrame: () => new VideoFrame(data.data, shape), close: () => {} };
        const opaque = new VideoFrame(bitmap, { timestamp: 0, alpha: 'discard' });
        const inputs = { blob, bitmap, image, canvas, offscreen, data, video, sample };
        const frames: [string, number[][]][] = [];
        for (const [name, input] of Object.entries({ ...inputs, ...(hasAlpha ? {} : { opaque }) })) {
          const { y, u, v } = await converter.convert(input);
          frames.push([name, [[...y], [...u], [...v]]]);
        }
        video.close();
        opaque.close();
        return frames;
      };
      const frames = await page.evaluate(run, [`data:image/png;base64,${png.toString('base64')}`, channels === 4] as [
        string,
        boolean,
      ]);
      for (const [name, planes] of frames) found[`${channels} ${name}`] = difference(planes, [[...y], [...u], [...v]]);
    }
    await rm(folder, { recursive: true });
    const names = ['blob', 'bitmap', 'image', 'canvas', 'offscreen', 'data', 'video', 'sample'];
    expect(found).toEqual({
      ...Object.fromEntries([...names, 'opaque'].map(name => [`3 ${name}`, 0])),
      ...Object.fromEntries(names.map(name => [`4 ${name}`, 1])), // how alpha is rounded
    });
  });

  it('converts an opaque ImageData of Display P3 to sRGB, as a canvas of its pels', async () => {
    const run = async () => {
      const converter = new (window as unknown as PackageWindow).mpegpu.FrameConverter();
      const colorSpace = 'display-p3';
      const image = new ImageData(2, 2, { colorSpace });
      for (let at = 0; at < image.data.length; at += 4) image.data.set([30, 200, 60, 255], at);
      const context = new OffscreenCanvas(2, 2).getContext('2d', { colorSpace })!;
      context.putImageData(image, 0, 0);
      const frames = [await converter.convert(image), await converter.convert(context.canvas)];
      return frames.map(({ y, u, v }) => [y[0], u[0], v[0]]);
    };
    const inSrgb = [120, 74, 52]; // the same numbers in sRGB are 130, 92, 63
    expect(await page.evaluate(run)).toEqual([inSrgb, inSrgb]);
  });

  it('copies the planes of VideoFrames, converts others, and draws turned and scaled ones', async () => {
    const run = async () => {
      const { mpegpu } = window as unknown as PackageWindow;
      const converter = new mpegpu.FrameConverter();
      const limited = { matrix: 'smpte170m', fullRange: false } as const;
      const made = async (bytes: number[], init: object, width = 4, height = 4, by = converter) => {
        const shape = { codedWidth: width, codedHeight: height, timestamp: 0, colorSpace: limited };
        const frame = new VideoFrame(Uint8Array.from(bytes), { ...shape, ...init } as VideoFrameBufferInit);
        const { y, u, v, ...size } = await by.convert(frame);
        frame.close();
        return { ...size, y: [...y], u: [...u], v: [...v] };
      };
      const ramp = (first: number, count: number) => Array.from({ length: count }, (_, at) => first + at);
      const i420 = [...ramp(20, 16), ...ramp(100, 4), ...ramp(200, 4)];
      const nv12 = [...ramp(20, 16), 100, 200, 101, 201, 102, 202, 103, 203];
      const grey = [...new Array(16).fill(100), ...new Array(8).fill(128)];
      const visible = { visibleRect: { x: 2, y: 2, width: 2, height: 2 } };
      const left = [...new Array(8).fill([235, 235, 16, 16]).flat(), ...new Array(16).fill(128)]; // 4x8, left half white
      const small = new mpegpu.FrameConverter({ width: 2, height: 2 });
      return {
        i420: await made(i420, { format: 'I420' }),
        nv12: await made(nv12, { format: 'NV12' }),
        visible: await made(i420, { format: 'I420', ...visible }),
        bt709: await made([...new Array(16).fill(63), ...new Array(4).fill(102), ...new Array(4).fill(240)], {
          format: 'I420',
          colorSpace: { matrix: 'bt709', fullRange: false }, // red
        }),
        full: await made(
          grey.map(value => (value === 100 ? 255 : value)),
          {
            format: 'I420',
            colorSpace: { matrix: 'smpte170m', fullRange: true },
          },
        ),
        i444: await made(new Array(48).fill(128), { format: 'I444' }),
        rgbx: await made(new Array(16).fill([255, 0, 0, 7]).flat(), { format: 'RGBX', colorSpace: undefined }),
        bgrx: await made(new Array(16).fill([0, 0, 255, 7]).flat(), { format: 'BGRX', colorSpace: undefined }),
        turned: await made(left, { format: 'I420', rotation: 90 }, 4, 8),
        small: await made(grey, { format: 'I420' }, 4, 4, small),
      };
    };
    const { turned, small, i444, bt709, ...found } = await page.evaluate(run);
    const ramp = (first: number, count: number) => Array.from({ length: count }, (_, at) => first + at);
    const fill = (value: number, count: number) => new Array<number>(count).fill(value);
    const of = (size: number, y: number[], u: number[], v: number[]) => ({ width: size, height: size, y, u, v });
    const red = of(4, fill(81, 16), fill(90, 4), fill(240, 4));
    expect(found).toEqual({
      i420: of(4, ramp(20, 16), ramp(100, 4), ramp(200, 4)),
      nv12: of(4, ramp(20, 16), ramp(100, 4), ramp(200, 4)),
      visible: of(2, [30, 31, 34, 35], [103], [203]),
      full: of(4, fill(235, 16), fill(128, 4), fill(128, 4)),
      rgbx: red,
      bgrx: red,
    });
    const planes = ({ y, u, v }: typeof red) => [y, u, v];
    expect(difference(planes(bt709), planes(red))).toBeLessThanOrEqual(1);
    expect(difference(planes(i444), [fill(128, 16), fill(128, 4), fill(128, 4)])).toBeLessThanOrEqual(1);
    expect(difference(planes(small), [fill(100, 4), [128], [128]])).toBeLessThanOrEqual(1);
    // A quarter clockwise: the left half comes to the top.
    expect(turned).toMatchObject({ width: 8, height: 4 });
    expect(difference([turned.y], [[...fill(235, 16), ...fill(16, 16)]])).toBeLessThanOrEqual(1);
  });

  it.each(['RGBX pq', 'BGRX hlg', 'RGBX linear', 'I420 linear'])('draws VideoFrames of %s', async kind => {
    const run = async (kind: string) => {
      const converter = new (window as unknown as PackageWindow).mpegpu.FrameConverter();
      const [format, transfer] = kind.split(' ');
      const isYuv = format === 'I420';
      const bytes = isYuv ? new Array(24).fill(90) : new Array(16).fill([40, 90, 160, 255]).flat();
      const colorSpace = { transfer, primaries: 'bt709', matrix: isYuv ? 'smpte170m' : 'rgb', fullRange: !isYuv };
      const shape = { format, codedWidth: 4, codedHeight: 4, timestamp: 0, colorSpace };
      const video = new VideoFrame(Uint8Array.from(bytes), shape as VideoFrameBufferInit);
      const context = new OffscreenCanvas(4, 4).getContext('2d')!;
      context.drawImage(video, 0, 0);
      const frames = [await converter.convert(video), await converter.convert(context.canvas)];
      video.close();
      return frames.map(({ y, u, v }) => [[...y], [...u], [...v]]);
    };
    const [frame, canvas] = await page.evaluate(run, kind);
    expect(difference(frame!, canvas!)).toBeLessThanOrEqual(1);
  });

  it('converts bitmaps, canvases and drawn VideoFrames on the GPU to the bytes of the CPU, and goes on when the device is lost', async () => {
    const run = async () => {
      const { mpegpu } = window as unknown as PackageWindow;
      const submit = GPUQueue.prototype.submit;
      const requestDevice = GPUAdapter.prototype.requestDevice;
      let [submitted, device] = [0, undefined as GPUDevice | undefined];
      GPUQueue.prototype.submit = function (lists) {
        submitted++;
        return submit.call(this, lists);
      };
      GPUAdapter.prototype.requestDevice = async function (...given) {
        device = await requestDevice.apply(this, given);
        return device;
      };
      const differing: string[] = [];
      const background = 'rgb(200 30 120)';
      const onCpu = new mpegpu.FrameConverter({ convert: 'cpu', background });
      const onGpu = new mpegpu.FrameConverter({ convert: 'gpu', background });
      const compare = async (name: string, input: ImageBitmap | OffscreenCanvas | VideoFrame) => {
        const [a, b] = [await onCpu.convert(input), await onGpu.convert(input)];
        const planes = [a.y, a.u, a.v].map((plane, i) => [plane, [b.y, b.u, b.v][i]!] as const);
        const isEqual = planes.every(
          ([one, other]) => one.length === other.length && one.every((v, i) => v === other[i]),
        );
        if (!isEqual || a.width !== b.width || a.height !== b.height) differing.push(name);
      };
      const picture = (width: number, height: number, isOpaque: boolean) => {
        const canvas = new OffscreenCanvas(width, height);
        const image = new ImageData(width, height);
        const alpha = (at: number) => (isOpaque ? 255 : (at * 7) % 256);
        for (let at = 0; at < image.data.length; at++) {
          image.data[at] = at % 4 === 3 ? alpha(at) : (at * at * 31 + at * 17) % 256;
        }
        canvas.getContext('2d')!.putImageData(image, 0, 0);
        return canvas;
      };
      await onGpu.convert(picture(2, 2, true)); // opens the GPU
      const before = submitted;
      for (const [width, height] of [
        [33, 19],
        [1, 1],
        [2, 3],
        [64, 48],
      ] as const) {
        for (const isOpaque of [true, false]) {
          const canvas = picture(width, height, isOpaque);
          await compare(`canvas ${width}x${height} ${isOpaque}`, canvas);
          await compare(`bitmap ${width}x${height} ${isOpaque}`, await createImageBitmap(canvas));
        }
      }
      for (const format of ['I444', 'RGBA'] as const) {
        const bytes = Uint8Array.from({ length: 4 * 33 * 19 }, (_, at) => (at * 37 + (at >> 3)) % 256);
        const video = new VideoFrame(bytes, { format, codedWidth: 33, codedHeight: 19, timestamp: 0 });
        await compare(format, video);
        video.close();
      }
      const onDevice = submitted - before;
      device!.destroy();
      for (let n = 0; n < 2; n++) await compare(`lost ${n}`, picture(33, 19, false));
      await onGpu.close();
      GPUQueue.prototype.submit = submit;
      GPUAdapter.prototype.requestDevice = requestDevice;
      return { differing, onDevice };
    };
    expect(await page.evaluate(run)).toEqual({ differing: [], onDevice: 18 });
  });

  it('chooses the faster of GPU and CPU by itself, takes no software GPU for that, and says when there is none', async () => {
    const run = async () => {
      const { mpegpu } = window as unknown as PackageWindow;
      const canvas = new OffscreenCanvas(16, 16);
      canvas.getContext('2d')!.fillRect(2, 2, 8, 8);
      let onGpu = 0;
      const copy = GPUQueue.prototype.copyExternalImageToTexture;
      GPUQueue.prototype.copyExternalImageToTexture = function (...given) {
        onGpu++;
        return copy.apply(this, given);
      };
      let [adapters, devices] = [0, 0];
      const { requestAdapter } = GPU.prototype;
      const { requestDevice } = GPUAdapter.prototype;
      GPUAdapter.prototype.requestDevice = function (...given) {
        devices++;
        return requestDevice.apply(this, given);
      };
      GPU.prototype.requestAdapter = async function (...given) {
        const adapter = await requestAdapter.apply(this, given);
        adapters++;
        return adapter;
      };
      /** How many pictures the GPU converts: of those until it is there, or known, and 40 more. */
      const count = async (isThere: () => boolean) => {
        const converter = new mpegpu.FrameConverter();
        onGpu = 0;
        const convert = () => converter.convert(canvas);
        for (let n = 0; n < 1000 && !isThere(); n++) {
          await convert();
          await new Promise(resolve => setTimeout(resolve, 20));
        }
        for (let n = 0; n < 40; n++) await convert();
        await converter.close();
        return onGpu;
      };
      await count(() => adapters > 0);
      const software = devices;
      const info = Object.getOwnPropertyDescriptor(GPUAdapter.prototype, 'info')!;
      const real = { vendor: 'test', architecture: '', device: '', description: '', isFallbackAdapter: false };
      Object.defineProperty(GPUAdapter.prototype, 'info', { get: () => real, configurable: true });
      /** What a way costs, by the clock. */
      let lateMs = 0;
      performance.now = () => Performance.prototype.now.call(performance) + lateMs;
      const { mapAsync } = GPUBuffer.prototype;
      GPUBuffer.prototype.mapAsync = async function (...given) {
        await mapAsync.apply(this, given);
        lateMs += 1000;
      };
      const slowGpu = await count(() => onGpu > 0);
      GPUBuffer.prototype.mapAsync = mapAsync;
      const { getImageData } = OffscreenCanvasRenderingContext2D.prototype;
      OffscreenCanvasRenderingContext2D.prototype.getImageData = function (...given: [number, number, number, number]) {
        lateMs += 60_000;
        return getImageData.apply(this, given);
      };
      const slowCpu = await count(() => onGpu > 0);
      OffscreenCanvasRenderingContext2D.prototype.getImageData = getImageData;
      Reflect.deleteProperty(performance, 'now');
      GPUQueue.prototype.copyExternalImageToTexture = copy;
      Object.defineProperty(GPUAdapter.prototype, 'info', info);
      GPU.prototype.requestAdapter = requestAdapter;
      GPUAdapter.prototype.requestDevice = requestDevice;
      Object.defineProperty(navigator, 'gpu', { value: undefined, configurable: true });
      const none = new mpegpu.FrameConverter({ convert: 'gpu' });
      const refused = await none.convert(canvas).catch(String);
      const wrong = (() => {
        try {
          return new mpegpu.FrameConverter({ convert: 'tpu' as 'gpu' });
        } catch (error) {
          return String(error);
        }
      })();
      return { software, slowGpu, slowCpu, refused, wrong };
    };
    expect(await page.evaluate(run)).toEqual({
      // Four are tried. Of the others, four are the trials of the CPU.
      ...{ software: 0, slowGpu: 4, slowCpu: 37 },
      refused: 'UnsupportedError: this browser offers no WebGPU here',
      wrong: "OptionError: convert 'tpu' does not exist (did you mean gpu?); legal: auto, gpu, cpu",
    });
  });
});
