// Estimators in search threads: the same fields, errors passed on, threads that die replaced once.

import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { InputError, OptionError, UnsupportedError } from '../../../src/errors.js';
import { createCpuFull } from '../../../src/motion/cpu/cpu-full.js';
import { createCpuPredictive } from '../../../src/motion/cpu/cpu-predictive.js';
import type { EstimatorParameters } from '../../../src/motion/estimator.js';
import { createInThisThread } from '../../../src/motion/this-thread.js';
import { SEARCH_ENTRY } from '../../../src/motion/threads/search-entry.js';
import { createThreadedEstimator } from '../../../src/motion/threads/worker-host.js';
import { BorrowedThreads } from '../../../src/threads/node/borrowed-threads.js';
import { ThreadStock } from '../../../src/threads/node/thread-stock.js';
import { TaskThread } from '../../../src/threads/task-thread.js';
import { seededRandom } from '../../kernels/kernel-pair.js';
import { nameDeathsFile } from '../deaths-file.js';
import { describeEstimator, fewSettings } from '../estimator-suite.js';
import { makePicture } from '../motion-pictures.js';

const PARAMETERS: EstimatorParameters = {
  width: 64,
  height: 48,
  metric: 'sad',
  blockSize: 16,
  range: { x: 15, y: 15 },
  candidatesPerBlock: 2,
  lambda: 1,
};

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));

const pair = (id: number) => ({
  current: makePicture(id, 64, 48, 'noise'),
  reference: makePicture(id + 1, 64, 48, 'noise'),
});

/** For the suite: a thread takes longer to start than each of its searches. Those below start their own. */
const stock = new ThreadStock();
afterAll(() => stock.close());
const onKeptThread = (parameters: EstimatorParameters) =>
  createThreadedEstimator('cpu-mrmp', parameters, { threadSource: stock });
describeEstimator('cpu-mrmp in a thread', onKeptThread, fewSettings());

describe('search threads', () => {
  it('answer as the estimator itself does, from three threads', async () => {
    const threaded = await createThreadedEstimator('cpu-full', PARAMETERS, { threads: 3 });
    const here = await createCpuFull(PARAMETERS);
    const requests = Array.from({ length: 12 }, (_, i) => pair(i));
    const fields = await Promise.all(requests.map(request => threaded.estimate(request)));
    for (const [index, request] of requests.entries()) expect(fields[index]).toEqual(await here.estimate(request));
    expect(threaded.traits).toEqual(here.traits);
    expect(threaded.device).toContain('3 threads');
    const { busyMs, pictures } = threaded.statistics!();
    expect(pictures).toBe(12);
    expect(busyMs).toBeGreaterThan(0);
    await threaded.close();
  });

  it('that another thread has started answer alike, and once it has ended a new one goes on', async () => {
    const lent = new ThreadStock().lend(SEARCH_ENTRY, 1);
    lent.start();
    const warnings: string[] = [];
    const threaded = await createThreadedEstimator('cpu-full', PARAMETERS, {
      threadSource: new BorrowedThreads(lent.ports),
      onWarning: message => warnings.push(message),
    });
    const expected = await (await createCpuFull(PARAMETERS)).estimate(pair(0));
    expect(await threaded.estimate(pair(0))).toEqual(expected);
    expect(warnings).toEqual([]);
    await lent.end();
    expect(await threaded.estimate(pair(0))).toEqual(expected);
    expect(warnings).toEqual([expect.stringMatching(/^a thread of cpu-full died .* goes on in a new one$/)]);
    expect(threaded.device).toBe('CPU, WebAssembly SIMD');
    await threaded.close();
  });

  it('hand a start field on, and leave it to the caller', async () => {
    const parameters = { ...PARAMETERS, range: { x: 31, y: 31 } };
    const threaded = await createThreadedEstimator('cpu-predictive', parameters, { threads: 2 });
    const here = await createCpuPredictive(parameters);
    const random = seededRandom(1);
    // Vectors inside a larger buffer, which the threads need not see.
    const vectors = Int16Array.from({ length: 300 }, () => (random() % 61) - 30);
    const requests = Array.from({ length: 12 }, (_, i) => ({
      ...pair(i),
      start: { dx: vectors.subarray(12 * i, 12 * i + 12), dy: vectors.subarray(150 + 12 * i, 162 + 12 * i) },
    }));
    const fields = await Promise.all(requests.map(request => threaded.estimate(request)));
    let unlike = 0;
    for (const [index, request] of requests.entries()) {
      expect(fields[index]).toEqual(await here.estimate(request));
      const { start: _, ...plain } = request;
      if (JSON.stringify(await threaded.estimate(plain)) !== JSON.stringify(fields[index])) unlike++;
    }
    expect(unlike).toBeGreaterThan(6);
    expect(vectors).toHaveLength(300);
    await threaded.close();
    await here.close();
  });

  it('are gone when the estimator is closed, and none takes their place', async () => {
    let started = 0;
    let running = 0;
    const count = (worker: Worker) => {
      started++;
      running++;
      worker.once('exit', () => running--);
    };
    process.on('worker', count);
    try {
      const estimator = await createThreadedEstimator('zero', PARAMETERS, { threads: 2 });
      await estimator.estimate(pair(1));
      await estimator.close();
      await new Promise(setImmediate);
      expect({ started, running }).toEqual({ started: 2, running: 0 });
    } finally {
      process.off('worker', count);
    }
  });

  it('get requests that are made together as one message, in which one may fail', async () => {
    const asked = vi.spyOn(TaskThread.prototype, 'ask');
    for (const [name, messages] of [
      ['cpu-mrmp', [3]],
      ['cpu-predictive', [1, 2]],
    ] as const) {
      const estimator = await createThreadedEstimator(name, PARAMETERS);
      const here = await createInThisThread(name, PARAMETERS);
      const wrong = { ...pair(1), current: makePicture(9, 16, 16, 'noise') };
      asked.mockClear();
      const [first, failed, last] = await Promise.allSettled([pair(1), wrong, pair(3)].map(p => estimator.estimate(p)));
      expect(asked.mock.calls.map(([, requests]) => (requests as unknown[]).length)).toEqual(messages);
      expect(first).toEqual({ status: 'fulfilled', value: await here.estimate(pair(1)) });
      expect(failed).toEqual({ status: 'rejected', reason: expect.any(InputError) });
      expect(last).toEqual({ status: 'fulfilled', value: await here.estimate(pair(3)) });
      await estimator.close();
    }
    asked.mockRestore();
  });

  it('take a third-party module', async () => {
    const estimator = await createThreadedEstimator(fixture('three-vectors-estimator.mjs'), PARAMETERS);
    expect(estimator.traits.name).toBe('three-vectors');
    expect((await estimator.estimate(pair(1))).dx).toHaveLength(24);
    await estimator.close();
  });

  it('let errors through as they are', async () => {
    const opened = createThreadedEstimator(fixture('unsupported-estimator.mjs'), PARAMETERS);
    await expect(opened).rejects.toBeInstanceOf(UnsupportedError);
    await expect(opened).rejects.toThrow('no abacus was found on this machine');

    const illegal = await createThreadedEstimator('cpu-full', { ...PARAMETERS, lambda: -2 }).catch(reason => reason);
    expect(illegal).toBeInstanceOf(OptionError);
    expect(illegal.option).toBe('lambda');

    const estimator = await createThreadedEstimator('cpu-full', PARAMETERS);
    const wrongSize = { ...pair(1), current: makePicture(9, 16, 16, 'noise') };
    await expect(estimator.estimate(wrongSize)).rejects.toBeInstanceOf(InputError);
    expect((await estimator.estimate(pair(1))).dx).toHaveLength(24);
    await estimator.close();
  });

  it.each([0, 1.5, 65])('say how many there may be: %f', async threads => {
    const error = await createThreadedEstimator('cpu-full', PARAMETERS, { threads }).catch(reason => reason);
    expect(error).toBeInstanceOf(OptionError);
    expect(error.option).toBe('threads');
  });

  it('are left in the middle of their work, and none takes their place', async () => {
    const warnings: string[] = [];
    const onWarning = (message: string) => warnings.push(message);
    const large: EstimatorParameters = { ...PARAMETERS, width: 1024, height: 768, range: 'picture', blockSize: 8 };
    const estimator = await createThreadedEstimator('cpu-full', large, { threads: 2, onWarning });
    const calls = [1, 3, 5, 7].map(id =>
      estimator.estimate({
        current: makePicture(id, 1024, 768, 'noise'),
        reference: makePicture(id + 1, 1024, 768, 'noise'),
      }),
    );
    const settled = Promise.allSettled(calls);
    await new Promise(resolve => setTimeout(resolve, 50));
    await estimator.close();
    for (const result of await settled) {
      expect(result.status).toBe('rejected');
      expect((result as PromiseRejectedResult).reason).toBeInstanceOf(InputError);
    }
    expect(warnings).toEqual([]);
  });

  it('leave a process that ends by itself', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [fixture('search-and-leave.mjs')], {
      timeout: 30_000,
    });
    expect(stdout).toBe('256\n');
  });

  describe('that cannot start or cannot last', () => {
    const searchWith = async (entry: string) => {
      const warnings: string[] = [];
      const onWarning = (message: string) => warnings.push(message);
      const estimator = await createThreadedEstimator('cpu-full', PARAMETERS, { threads: 2, onWarning, entry });
      const here = await createCpuFull(PARAMETERS);
      expect(await estimator.estimate(pair(1))).toEqual(await here.estimate(pair(1)));
      await estimator.close();
      return warnings;
    };

    it('for want of their file are done without, with a warning', async () => {
      const warnings = await searchWith('/no/such/worker.js');
      expect(warnings).toHaveLength(1);
      expect(warnings[0]).toMatch(/^cpu-full: no search thread starts \(.*worker\.js.*\); cpu-full searches without/);
    });

    it('and end at each search are replaced, and then done without', async () => {
      const warnings = await searchWith(fixture('exiting-worker.mjs'));
      expect(warnings.map(warning => warning.replace(/.*; /, ''))).toEqual([
        'cpu-full goes on in a new one',
        'cpu-full goes on without threads',
      ]);
    });

    it('for want of a working directory are done without, and the process ends', async () => {
      const { stdout } = await promisify(execFile)(process.execPath, [fixture('search-without-folder.mjs')], {
        timeout: 30_000,
      });
      expect(stdout).toMatch(/^no search thread starts \(ENOENT.*uv_cwd\)\n256\n$/);
    });

    it('that end while a module is made are an error that names it', async () => {
      const made = createThreadedEstimator(fixture('leaving-estimator.mjs'), PARAMETERS);
      await expect(made).rejects.toThrow(/^the estimator .*leaving-estimator\.mjs failed: .* exited with code: 4/);
    });

    it('are ended when the signal is aborted while a module is made', async () => {
      const stop = new AbortController();
      const made = createThreadedEstimator(fixture('unmade-estimator.mjs'), PARAMETERS, { signal: stop.signal });
      setTimeout(() => stop.abort(new Error('enough')), 300);
      await expect(made).rejects.toThrow('enough');
    });
  });

  describe('that die', () => {
    nameDeathsFile();

    const searchAfter = async (deaths: string) => {
      writeFileSync(process.env.MPEGPU_TEST_DEATHS!, deaths);
      const warnings: string[] = [];
      const onWarning = (message: string) => warnings.push(message);
      const estimator = await createThreadedEstimator(fixture('dying-estimator.mjs'), PARAMETERS, { onWarning });
      const fields = await Promise.allSettled([1, 3, 5].map(id => estimator.estimate(pair(id))));
      await estimator.close();
      return { fields, warnings };
    };

    it('are replaced once, with a warning, and the same fields come', async () => {
      const whole = await searchAfter('');
      const broken = await searchAfter('x');
      expect(whole.warnings).toEqual([]);
      expect(broken.warnings).toHaveLength(1);
      expect(broken.warnings[0]).toContain('died');
      expect(broken.fields.map(field => field.status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
      expect(broken.fields).toEqual(whole.fields);
    });

    it('again and again reject what is owed', async () => {
      const { fields, warnings } = await searchAfter('x'.repeat(50));
      expect(fields.map(field => field.status)).toEqual(['rejected', 'rejected', 'rejected']);
      expect(warnings).toHaveLength(1);
    });
  });
});
