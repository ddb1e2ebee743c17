// An encoder in a worker of a page gives what one in Node gives, and ends as it does.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { Encoder } from '../../src/encoder/encoder.js';
import { encodeFrames } from '../support/encode.js';
import { describeWith } from '../support/requirements.js';
import { patternFrame } from './moving-frames.js';
import { PackagePages, type PackageWindow } from './package-page.js';

const SIZE = { width: 48, height: 32 };
const FRAMES = 8;

describeWith('chromium', 'WorkerEncoder', () => {
  let pages: PackagePages;
  let page: Page;

  beforeAll(async () => {
    pages = await PackagePages.open();
    page = await pages.newPage();
  });

  // The page stays, so that the workers are ended by their encoders.
  afterEach(async () => {
    await expect.poll(() => pages.workers()).toBe(0);
    expect(pages.errors.splice(0)).toEqual([]);
  });

  afterAll(() => pages?.close());

  it('gives the bytes, reports, reconstructions and statistics of Node', async () => {
    const given = { ...SIZE, threads: 1, quality: 60, estimator: 'cpu-predictive' };
    const run = async ([count, options]: [number, typeof given]) => {
      const { mpegpu, patternFrame } = window as unknown as PackageWindow;
      const { width, height } = options;
      const [reports, shown, units]: [unknown[], unknown[], unknown[]] = [[], [], []];
      const encoder = new mpegpu.WorkerEncoder({
        ...options,
        frameRate: 25,
        onPicture: report => {
          reports.push({ ...report, vectors: report.vectors(), macroblockTypes: [...report.macroblockTypes()] });
        },
        onReconstruction: async (frame, number) => {
          await new Promise(resolve => setTimeout(resolve));
          shown[number] = [...frame.y, ...frame.u, ...frame.v];
        },
      });
      const taken = (async () => {
        for await (const { data, ...rest } of encoder) units.push({ ...rest, data: [...data] });
      })();
      const frame = (number: number) => patternFrame(width, height, number);
      const detached = frame(0);
      const gpu = { buffer: { size: 2 * width * height } as GPUBuffer, onRelease: () => {} }; // cannot be sent
      await encoder.add({ ...detached, gpu }, { transfer: true });
      for (let number = 1; number < count; number++) await encoder.add(frame(number));
      await encoder.finish();
      await taken;
      const { passStatistics, statistics } = encoder;
      const { frames, bits, psnr, estimator } = statistics;
      return { reports, shown, units, passStatistics, left: detached.y.length, frames, bits, psnr, estimator };
    };
    const found = await page.evaluate(run, [FRAMES, given] as [number, typeof given]);
    const frames = Array.from({ length: FRAMES }, (_, number) => patternFrame(SIZE.width, SIZE.height, number));
    const expected = await encodeFrames(frames, given);
    expect(found.units).toEqual(expected.units.map(({ data, ...rest }) => ({ ...rest, data: [...data] })));
    const reports = expected.reports.map((report, number) => ({
      ...report,
      vectors: expected.vectors[number],
      macroblockTypes: [...report.macroblockTypes()],
    }));
    expect(found.reports).toEqual(reports);
    expect(found.shown).toEqual(expected.reconstruction.map(({ y, u, v }) => [...y, ...u, ...v]));
    expect(found.passStatistics).toEqual(expected.passStatistics);
    const { bits, psnr, estimator } = expected.statistics;
    expect(found).toMatchObject({ left: 0, frames: FRAMES, bits, psnr, estimator });
  });

  it('codes live: key frames on request, frames left out, each unit before the next frame', async () => {
    const options = { ...SIZE, frameRate: 25, threads: 1, q: 4, latency: 'low', estimator: 'cpu-predictive' } as const;
    const run = async (given: typeof options) => {
      const { mpegpu, patternFrame } = window as unknown as PackageWindow;
      const encoder = new mpegpu.WorkerEncoder(given);
      const units: { pictureType: string; data: number[] }[] = [];
      const taken = (async () => {
        for await (const { pictureType, data } of encoder) units.push({ pictureType, data: [...data] });
      })();
      await encoder.leaveOut().catch((error: Error) => units.push({ pictureType: error.message, data: [] }));
      for (let number = 0; number < 4; number++) {
        if (number === 2) encoder.requestKeyFrame();
        await encoder.add(patternFrame(given.width, given.height, number));
      }
      await encoder.leaveOut(2);
      await encoder.finish();
      await taken;
      return units;
    };
    const [refused, ...found] = await page.evaluate(run, options);
    expect(refused!.pictureType).toMatch(/no frame has been added/);
    const encoder = new Encoder(options);
    const expected: { pictureType: string; data: number[] }[] = [];
    const taken = (async () => {
      for await (const { pictureType, data } of encoder) expected.push({ pictureType, data: [...data] });
    })();
    for (let number = 0; number < 4; number++) {
      if (number === 2) encoder.requestKeyFrame();
      await encoder.add(patternFrame(SIZE.width, SIZE.height, number));
    }
    await encoder.leaveOut(2);
    await encoder.finish();
    await taken;
    expect(found.map(({ pictureType }) => pictureType).join('')).toBe('IPIPPP');
    expect(found).toEqual(expected);
  });

  it('takes frames only as fast as the access units are taken, and keeps what is not taken', async () => {
    const run = async ([width, height]: [number, number]) => {
      const { mpegpu, patternFrame } = window as unknown as PackageWindow;
      const size = { width, height, frameRate: 25, estimator: 'cpu-predictive' };
      const encoder = new mpegpu.WorkerEncoder({ ...size, bFrames: 0, maxPendingPictures: 2 });
      const units = encoder[Symbol.asyncIterator]();
      const first = units.next();
      let added = 0;
      const adding = (async () => {
        for (; added < 60; added++) await encoder.add(patternFrame(width, height, added));
        await encoder.finish();
      })();
      await first;
      let before = -1;
      while (added > before) {
        before = added;
        await new Promise(resolve => setTimeout(resolve, 150));
      }
      let taken = 1;
      while (!(await units.next()).done) taken++;
      await adding;
      return { before, taken };
    };
    const { before, taken } = await page.evaluate(run, [SIZE.width, SIZE.height] as [number, number]);
    expect(before).toBeLessThan(50);
    expect(taken).toBe(60);
  });

  it('rejects with the reason of an abort, of a left iteration, of a callback, of close; no worker stays', async () => {
    const run = async ([width, height]: [number, number]) => {
      const { mpegpu, patternFrame } = window as unknown as PackageWindow;
      const size = { width, height, frameRate: 25, estimator: 'cpu-predictive' };
      const reason = (promise: Promise<unknown>) =>
        promise.then(
          () => 'none',
          error => String(error.message),
        );
      const fill = async (encoder: InstanceType<typeof mpegpu.WorkerEncoder>) => {
        for (let number = 0; ; number++) await encoder.add(patternFrame(width, height, number));
      };
      const outcome = async (
        encoder: InstanceType<typeof mpegpu.WorkerEncoder>,
        stop: (units: AsyncIterableIterator<unknown>) => unknown,
      ) => {
        const units = encoder[Symbol.asyncIterator]();
        const added = reason(fill(encoder));
        await units.next().catch(() => {});
        await stop(units);
        return [await added, await reason(encoder.finish()), await reason(encoder.add(patternFrame(width, height, 0)))];
      };
      const abort = new AbortController();
      const throwing = () => {
        throw new Error('my own');
      };
      const stopped = new mpegpu.WorkerEncoder(size);
      const idle = new mpegpu.WorkerEncoder({ ...size, latency: 'low' });
      await idle.finish();
      idle.requestKeyFrame(); // a viewer who comes too late
      return [
        await outcome(new mpegpu.WorkerEncoder({ ...size, signal: abort.signal }), () =>
          abort.abort(new Error('enough')),
        ),
        await outcome(new mpegpu.WorkerEncoder(size), units => units.return!()),
        await outcome(new mpegpu.WorkerEncoder({ ...size, onPicture: throwing }), () => {}),
        await outcome(stopped, () => stopped.close()),
      ].map(messages => [...new Set(messages)].join());
    };
    expect(await page.evaluate(run, [SIZE.width, SIZE.height] as [number, number])).toEqual([
      'enough',
      'the iteration of the access units was left before its end, which ended the encode',
      'my own',
      'the encoder was closed before its end',
    ]);
    await expect.poll(() => pages.workers()).toBe(0);
  });

  it('ends a next that waits when the iteration is left, as Encoder does', async () => {
    const run = async ([width, height]: [number, number]) => {
      const { mpegpu, patternFrame } = window as unknown as PackageWindow;
      const outcome = async (Kind: typeof mpegpu.Encoder | typeof mpegpu.WorkerEncoder, frames: number) => {
        const encoder = new Kind({ width, height, frameRate: 25, threads: 1, estimator: 'cpu-predictive' });
        const units = encoder[Symbol.asyncIterator]();
        for (let number = 0; number < frames; number++) await encoder.add(patternFrame(width, height, number));
        const waiting = [units.next(), units.next()];
        const left = await units.return!();
        return [left, ...(await Promise.all(waiting.map(next => next.catch(String)))), await units.next()];
      };
      const { Encoder, WorkerEncoder } = mpegpu;
      return Promise.all([0, 1].flatMap(frames => [outcome(Encoder, frames), outcome(WorkerEncoder, frames)]));
    };
    const done = new Array(4).fill({ done: true });
    expect(await page.evaluate(run, [SIZE.width, SIZE.height] as [number, number])).toEqual([done, done, done, done]);
  });

  it('refuses wrong frames and options as Encoder does, an estimator that is a function, and waiting for itself', async () => {
    const run = async ([width, height]: [number, number]) => {
      const { mpegpu, patternFrame } = window as unknown as PackageWindow;
      const size = { width, height, frameRate: 25, estimator: 'cpu-predictive' };
      const thrown = (make: () => unknown) => {
        try {
          return String(make());
        } catch (error) {
          return String(error);
        }
      };
      const encoder = new mpegpu.WorkerEncoder({
        ...size,
        onPicture: async () => {
          await encoder.finish();
        },
      });
      const y = new Uint8Array(new WebAssembly.Memory({ initial: 1 }).buffer, 0, width * height);
      const texts = [
        thrown(() => new mpegpu.WorkerEncoder({ ...size, estimator: () => Promise.reject() })),
        thrown(() => new mpegpu.WorkerEncoder({ ...size, q: 40 })),
        await encoder.add(patternFrame(width, 16, 0)).catch(String),
        await encoder.add({ ...patternFrame(width, height, 0), y }, { transfer: true }).catch(String),
        await encoder
          .add(patternFrame(width, height, 0))
          .then(() => encoder.finish())
          .catch(String),
      ];
      const empty = new mpegpu.WorkerEncoder(size);
      await empty.finish();
      const { done } = await empty[Symbol.asyncIterator]().next();
      return [...texts, done];
    };
    expect(await page.evaluate(run, [SIZE.width, SIZE.height] as [number, number])).toEqual([
      'OptionError: estimator is a function, which cannot be sent to a worker: use Encoder, or its name',
      'OptionError: q 40 is not a whole number from 1 to 31',
      'InputError: frame 0 is 48x16, not 48x32',
      expect.stringMatching(
        /^InputError: frame 0 has planes that cannot be handed over, such as those of a WebAssembly/,
      ),
      'InputError: finish: called in a callback, it would wait for the callback itself',
      true,
    ]);
  });

  it('rejects when its worker dies or cannot start, and a page closed in the middle leaves no worker', async () => {
    const run = ([width, height]: [number, number]) => {
      const { mpegpu, patternFrame } = window as unknown as PackageWindow;
      const encoder = new mpegpu.WorkerEncoder({ width, height, frameRate: 25, estimator: 'cpu-predictive' });
      const ended = (async () => {
        for (let number = 0; ; number++) {
          await encoder.add(patternFrame(width, height, number));
          Object.assign(window, { hasRun: true });
        }
      })();
      Object.assign(window, { ended: ended.catch(String), hasRun: false });
    };
    const size = [SIZE.width, SIZE.height] as [number, number];
    const ended = () => page.evaluate(() => (window as unknown as { ended: Promise<string> }).ended);
    await page.evaluate(run, size);
    await page.waitForFunction('window.hasRun');
    await page
      .workers()[0]!
      .evaluate(() => void setTimeout(() => Promise.reject(new Error('boom')).catch(reportError)));
    expect(await ended()).toMatch(/^Error: the worker of the encoder has ended: .*boom$/);
    // All of the first one's are gone before another encode starts some: that has one at first, and soon two.
    await expect.poll(() => pages.workers(), { timeout: 10_000 }).toBe(0);
    await page.evaluate(run, size);
    await page.waitForFunction('window.hasRun'); // it still runs when the page is closed
    const other = await pages.newPage();
    await other.route('**/worker.js', route => route.abort());
    await other.evaluate(run, size);
    const failure = await other.evaluate(() => (window as unknown as { ended: Promise<string> }).ended);
    expect(failure).toMatch(/^UnsupportedError: the worker of the encoder could not start: .*; Encoder encodes/);
    await other.close();
    await page.close();
  });
});
