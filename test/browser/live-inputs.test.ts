// What becomes of inputs that show nothing or are another site's, of ended and silent tracks, of a silent GPU.
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runPackagedFfmpeg, temporaryFolder } from '../support/ffmpeg-clips.js';
import { describeWith } from '../support/requirements.js';
import { serve, type WebServer } from '../support/web-server.js';
import { PackagePages, type PackageWindow } from './package-page.js';

const folder = temporaryFolder();
/** An even colour, so that a frame of it tells whether the film was seen. */
const FILM = 'color=red:size=64x48:rate=25:duration=2';

describeWith('chromium', 'a page', () => {
  let pages: PackagePages;
  let page: Page;
  /** Another origin than that of the page; `films` lets the page read it. */
  let films: WebServer;
  let others: WebServer;

  beforeAll(async () => {
    const film = join(folder, 'film.webm');
    runPackagedFfmpeg('-f', 'lavfi', '-i', FILM, '-c:v', 'libvpx', '-pix_fmt', 'yuv420p', film);
    films = await serve(folder, { headers: { 'Access-Control-Allow-Origin': '*' } });
    others = await serve(folder);
    pages = await PackagePages.open();
    page = await pages.newPage();
  });

  afterAll(async () => {
    expect(pages?.errors).toEqual([]);
    await Promise.all([pages?.close(), films?.close(), others?.close()]);
  });

  it('is told what to wait for where a <video> shows nothing, and why one of another origin cannot be read', async () => {
    const run = async ([mine, foreign]: [string, string]) => {
      const { mpegpu } = window as unknown as PackageWindow;
      const converter = new mpegpu.FrameConverter();
      const read = (video: HTMLVideoElement) =>
        converter.convert(video).then(({ width, height, y }) => `${width}x${height} ${y[0]! > 40}`, String);
      const has = (video: HTMLVideoElement, event: string) =>
        new Promise(resolve => video.addEventListener(event, resolve, { once: true }));
      const load = async (src: string, wished: Partial<HTMLVideoElement>) => {
        const video = Object.assign(document.createElement('video'), { ...wished, src });
        await has(video, 'loadeddata');
        return video;
      };
      // On a busy machine a video may show nothing yet.
      const unreadable = async (video: HTMLVideoElement): Promise<OffscreenCanvas> => {
        const drawn = new OffscreenCanvas(64, 48);
        const context = drawn.getContext('2d')!;
        for (;;) {
          context.drawImage(video, 0, 0);
          try {
            context.getImageData(0, 0, 1, 1);
          } catch {
            return drawn;
          }
          await new Promise(resolve => setTimeout(resolve, 20));
        }
      };
      const own = URL.createObjectURL(await (await fetch(mine)).blob()); // of which any part can be read at once
      const video = await load(own, { preload: 'auto' });
      const unloaded = await load(own, { preload: 'metadata' }); // Chromium keeps no picture of it
      const foreigner = await load(foreign, { preload: 'auto' });
      const told = { loaded: await read(video), unloaded: await read(unloaded), foreign: await read(foreigner) };
      const canvas = await unreadable(foreigner);
      const bitmap = await createImageBitmap(new ImageData(8, 8));
      const pels = new ImageData(8, 8);
      const huge = new OffscreenCanvas(60000, 60000);
      const inputs = { canvas, huge, pels, closed: bitmap, transferred: new ImageData(8, 8) };
      bitmap.close();
      structuredClone(inputs.transferred.data, { transfer: [inputs.transferred.data.buffer] });
      const after: Record<string, string> = {};
      for (const [name, input] of Object.entries(inputs)) {
        after[name] = await converter.convert(input).then(({ width, height }) => `${width}x${height}`, String);
      }
      return { ...told, ...after };
    };
    const [mine, foreign] = [films, others].map(({ url }) => `${url}film.webm`) as [string, string];
    const noPicture =
      /^InputError: the video has no picture now: give it preload 'auto', and wait for 'loadeddata', or /;
    const notReadable = /^InputError: the picture comes from another origin and cannot be read: /;
    expect(await page.evaluate(run, [mine, foreign] as [string, string])).toEqual({
      loaded: '64x48 true',
      unloaded: expect.stringMatching(noPicture),
      foreign: expect.stringMatching(notReadable),
      canvas: expect.stringMatching(notReadable),
      huge: 'InputError: a picture of 60000x60000 is too large to be read',
      pels: '8x8', // what could not be read before is no matter
      closed: 'InputError: the ImageBitmap is closed',
      transferred: 'InputError: the ImageData has no pels any more: its buffer was transferred',
    });
  });

  it('is told that a track has ended before it is read, by any way of reading tracks', async () => {
    const run = async () => {
      const { mpegpu } = window as unknown as PackageWindow;
      const encodeEnded = () => {
        const stream = document.createElement('canvas').captureStream(25);
        for (const track of stream.getTracks()) track.stop();
        return mpegpu.encodeVideo(stream).blob().then(String, String);
      };
      const byProcessor = await encodeEnded();
      Reflect.deleteProperty(globalThis, 'MediaStreamTrackProcessor');
      return [byProcessor, await encodeEnded()];
    };
    const ended = 'InputError: the track has ended: it gives no pictures any more';
    expect(await page.evaluate(run)).toEqual([ended, ended]);
  });

  it('knows the stream of a canvas in Firefox, which has a class of its own', async () => {
    const run = async () => {
      const { mpegpu } = window as unknown as PackageWindow;
      const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 48 });
      const context = canvas.getContext('2d')!;
      const drawing = setInterval(() => context.fillRect(0, 0, 9, 9), 10);
      const stream = canvas.captureStream(25);
      Object.defineProperty(stream, Symbol.toStringTag, { value: 'CanvasCaptureMediaStream' });
      const frames = await mpegpu.openFrames(stream);
      clearInterval(drawing);
      await frames.close();
      for (const track of stream.getTracks()) stream.removeTrack(track);
      return [frames.width, frames.height, await mpegpu.openFrames(stream).then(String, String)];
    };
    expect(await page.evaluate(run)).toEqual([64, 48, 'InputError: the MediaStream has no video track']);
  });

  it('takes 25 for the rate of a canvas that is captured on request, and lets go of a track that is silent', async () => {
    const run = async () => {
      const { mpegpu } = window as unknown as PackageWindow;
      Reflect.deleteProperty(globalThis, 'MediaStreamTrackProcessor');
      const create = document.createElement.bind(document);
      const videos: HTMLVideoElement[] = [];
      document.createElement = (name: string) => {
        const element = create(name);
        if (element instanceof HTMLVideoElement) videos.push(element);
        return element;
      };
      const { setInterval: repeat, clearInterval: end } = window;
      const checks = new Set<unknown>();
      window.setInterval = ((...given: [() => void, number]) => {
        const id = repeat(...given);
        checks.add(id);
        return id;
      }) as typeof setInterval;
      window.clearInterval = id => {
        checks.delete(id);
        end(id);
      };
      const time = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));
      const abort = new AbortController();
      const { signal } = abort;
      const context = create('canvas').getContext('2d')! as CanvasRenderingContext2D;
      const track = context.canvas.captureStream(0).getVideoTracks()[0] as CanvasCaptureMediaStreamTrack;
      const drawing = repeat(() => {
        context.fillRect(0, 0, 9, 9);
        track.requestFrame();
      }, 10);
      const frames = await mpegpu.openFrames(track, { signal });
      end(drawing);
      const readAll = async () => {
        for await (const _ of frames);
      };
      const waiting = [
        readAll(), // for the next picture
        mpegpu.encodeVideo(create('canvas').captureStream(0), { signal }).blob(), // for the first one
      ].map(reading => reading.then(() => 'nothing', String));
      await time(300);
      abort.abort(new Error('enough'));
      const told = await Promise.all(waiting);
      const playing = videos.map(({ srcObject }) => srcObject !== null);
      for (let tries = 0; checks.size > 0 && tries < 100; tries++) await time(20);
      return { rate: frames.frameRate, told, playing, checks: checks.size };
    };
    expect(await page.evaluate(run)).toEqual({
      rate: { numerator: 25, denominator: 1 },
      told: ['Error: enough', 'Error: enough'],
      playing: [false, false],
      checks: 0,
    });
  });

  it('encodes many canvases where the browser never says whether it has a GPU', async () => {
    const run = async () => {
      const { mpegpu } = window as unknown as PackageWindow;
      const gpu = { requestAdapter: () => new Promise(() => {}) };
      Object.defineProperty(navigator, 'gpu', { value: gpu });
      const canvases = Array.from({ length: 12 }, () => new OffscreenCanvas(32, 16));
      for (const canvas of canvases) canvas.getContext('2d');
      const video = mpegpu.encodeVideo(canvases, { estimator: 'cpu-predictive' });
      const late = new Promise(resolve => setTimeout(resolve, 5000, 'it waits'));
      return Promise.race([video.blob().then(() => video.finished.then(({ frames }) => frames)), late]);
    };
    expect(await page.evaluate(run)).toBe(12);
  });
});
