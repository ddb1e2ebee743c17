// Whole encodes with a GPU: the bytes of the CPU twin, whatever fails on the way.

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { generateSample } from '../../samples/generate.js';
import { encodeChunk } from '../../src/chunks/encode-chunk.js';
import { planChunks } from '../../src/chunks/plan-chunks.js';
import { Encoder } from '../../src/encoder/encoder.js';
import type { EncoderOptions } from '../../src/encoder/options.js';
import { UnsupportedError } from '../../src/errors.js';
import { createGpuFull, createGpuMrmp } from '../../src/gpu/gpu-estimators.js';
import type { EstimatorFactory, MotionEstimator } from '../../src/motion/estimator.js';
import type { FilterTasks } from '../../src/motion/threads/filter-tasks.js';
import { SEARCH_ENTRY } from '../../src/motion/threads/search-entry.js';
import { createThreadedEstimator } from '../../src/motion/threads/worker-host.js';
import { BorrowedThreads } from '../../src/threads/node/borrowed-threads.js';
import { PoolThread } from '../../src/threads/node/pool-thread.js';
import { ThreadStock } from '../../src/threads/node/thread-stock.js';
import { TaskThread } from '../../src/threads/task-thread.js';
import { threadAt } from '../../src/threads/thread-at.js';
import { sourceOf } from '../chunks/chunk-clips.js';
import { nameDeathsFile } from '../motion/deaths-file.js';
import { encodeFrames } from '../support/encode.js';
import { gpuWith } from './broken-gpu.js';
import { expectedPels, PLAIN, requestOf, sharedBytes } from './filter/filter-requests.js';
import { PARAMETERS, shared } from './shared-gpu.js';
import { IS_REAL_GPU, RUNS_WHOLE_GRID } from './test-gpu.js';

const SIZE = { width: 64, height: 48 };
const FRAMES = 6;
const OPTIONS = { ...SIZE, q: 6, gop: 12, bFrames: 0, range: { x: 5, y: 5 }, candidates: 2 } as const;

async function encode(options: Partial<EncoderOptions>, count = FRAMES): Promise<Uint8Array> {
  const frames = generateSample({ kind: 'snow', ...SIZE, frames: count, seed: 3 });
  return (await encodeFrames(frames, { ...OPTIONS, ...options })).stream;
}

const sameBytes = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;

describe('an encode', { timeout: 120_000 }, () => {
  // By name each thread opens and compiles for itself, which takes a software GPU seconds: gpu-full does it in a search
  // thread, and gpu-mrmp without one in the test of chunks below.
  it.each([
    ['gpu-full', createGpuFull, 'cpu-full', { bFrames: 0, metric: 'sad' }, [2]],
    // A software GPU takes seconds to compile the exhaustive search by squared errors, which its own suite tries.
    ['gpu-full', createGpuFull, 'cpu-full', { bFrames: 2, metric: RUNS_WHOLE_GRID ? 'sse' : 'sad' }, []],
    ['gpu-mrmp', createGpuMrmp, 'cpu-mrmp', { bFrames: 2, metric: 'sad' }, IS_REAL_GPU ? [1, 2] : []],
    ['gpu-mrmp', createGpuMrmp, 'cpu-mrmp', { bFrames: 0, metric: 'sse' }, []],
  ] as const)('has the same bytes with $0 as with $2: $3', async (name, create, twin, more, namedOnThreads) => {
    const warnings: string[] = [];
    const onWarning = (message: string) => warnings.push(message);
    const onShared: EstimatorFactory = parameters => create(parameters, { gpu: shared, onWarning });
    const expected = await encode({ ...more, estimator: twin });
    expect(sameBytes(await encode({ ...more, estimator: onShared }), expected)).toBe(true);
    for (const threads of namedOnThreads) {
      expect(sameBytes(await encode({ ...more, estimator: name, threads, onWarning }), expected)).toBe(true);
    }
    expect(warnings).toEqual([]);
  });

  it('and the next one share a search thread and what the drivers have answered', async () => {
    const keeper = new ThreadStock();
    const started = vi.spyOn(PoolThread, 'start');
    const options = { keptThreads: { keeper }, estimator: 'gpu-full', metric: 'sad', threads: 2 } as const;
    const presets = ['balanced', 'balanced', 'fastest'] as const;
    for (const preset of presets) {
      const expected = await encode({ metric: 'sad', estimator: 'cpu-full', preset });
      expect(sameBytes(await encode({ ...options, preset }), expected)).toBe(true);
    }
    expect(started.mock.calls.filter(([entry]) => entry === SEARCH_ENTRY)).toHaveLength(1);
    expect(keeper.texts.size).toBe(1);
    // That thread filters pictures, too, for whoever has the other end of a port.
    const searcher = keeper.lend(SEARCH_ENTRY, 1);
    const { port1, port2 } = new MessageChannel();
    const threadSource = new BorrowedThreads(searcher.ports, undefined, true, { filterPort: port2 });
    searcher.start();
    const estimator = await createThreadedEstimator('gpu-full', PARAMETERS, { threadSource });
    const start = { entry: SEARCH_ENTRY, data: undefined, keptThreads: threadAt(port1), onReport: () => {} };
    const filter = await TaskThread.start<FilterTasks, undefined>(start);
    expect(await filter.ask('open', false)).toBe(IS_REAL_GPU);
    expect(await filter.ask('open', true)).toBe(true);
    const request = requestOf(PLAIN);
    const filtered = filter.ask('filter', request);
    const { current, references } = request;
    await estimator.estimate({ current, reference: references[0]!.picture });
    expect([await filtered, request.target]).toEqual([true, sharedBytes(expectedPels(request))]);
    await estimator.close();
    expect(await filter.ask('filter', request)).toBe(false);
    expect(started.mock.calls.filter(([entry]) => entry === SEARCH_ENTRY)).toHaveLength(1);
    await filter.end();
    await searcher.end(threadSource.giveBack());
    started.mockRestore();
    await keeper.close();
  });

  it('in chunks has the same bytes with either twin of the planned estimator', async () => {
    const source = sourceOf([...generateSample({ kind: 'snow', ...SIZE, frames: FRAMES, seed: 3 })]);
    const plan = await planChunks(source, { q: 6, range: { x: 5, y: 5 }, estimator: 'cpu-mrmp' });
    const warnings: string[] = [];
    const code = (twin: 'cpu' | 'gpu') =>
      encodeChunk(source, plan, 0, { twin, threads: 1, onWarning: message => void warnings.push(message) });
    const [onGpu, onCpu] = [await code('gpu'), await code('cpu')];
    expect([onGpu, onCpu].map(({ statistics }) => statistics.estimator)).toEqual(['gpu-mrmp', 'cpu-mrmp']);
    expect(sameBytes(onGpu.bytes, onCpu.bytes)).toBe(true);
    expect(warnings).toEqual([]);
  });

  it('codes pictures while later fields are being searched', async () => {
    const searches = { asked: new Set<number>(), answered: new Set<number>() };
    const coded = new Map(Array.from({ length: FRAMES }, (_, frame) => [frame, gate()]));
    const later: boolean[] = [];
    // A field is held back until the picture before it has been coded: an encoder that waited for it would never end.
    const estimator: EstimatorFactory = async parameters => {
      const search = await createGpuMrmp(parameters, { gpu: shared });
      return {
        traits: search.traits,
        device: search.device,
        close: () => search.close(),
        async estimate(request) {
          const frame = request.current.id;
          searches.asked.add(frame);
          const field = await search.estimate(request);
          await coded.get(frame - 1)!.opened;
          searches.answered.add(frame);
          return field;
        },
      } satisfies MotionEstimator;
    };
    const fixed = { adaptiveTypes: false }; // a lookahead waits for the fields of later pictures
    const stream = await encode({
      ...fixed,
      estimator,
      threads: 2,
      onPicture: ({ frame }) => {
        // Picture 0 is coded before picture 1 has come.
        if (frame > 0 && frame + 1 < FRAMES)
          later.push(searches.asked.has(frame + 1) && !searches.answered.has(frame + 1));
        coded.get(frame)!.open();
      },
    });
    expect(later).toEqual(Array.from({ length: FRAMES - 2 }, () => true));
    expect(sameBytes(stream, await encode({ ...fixed, estimator: 'cpu-mrmp' }))).toBe(true);
  });
});

/** A promise with its key. */
function gate(): { opened: Promise<void>; open: () => void } {
  let open = () => {};
  const opened = new Promise<void>(resolve => {
    open = resolve;
  });
  return { opened, open };
}

describe('a fault in the middle of an encode', { timeout: 120_000 }, () => {
  /** An encode on a changed GPU, searched ahead, and what it warned of. */
  async function encodeOn(gpu: GPU, more: Partial<EncoderOptions> = {}, count = FRAMES) {
    const warnings: string[] = [];
    const onWarning = (message: string) => warnings.push(message);
    const estimator: EstimatorFactory = parameters => createGpuMrmp(parameters, { gpu, depth: 2, onWarning });
    return { stream: await encode({ ...more, estimator, threads: 2 }, count), warnings };
  }

  // Not before the estimator is made, which it is once picture 1 is coded: a GPU lost earlier is none. And not after
  // the last picture is prepared, when it is closed: that is long after picture 3.
  it.each([1, 3])('a device lost after picture %i ends in the same bytes', async lastPicture => {
    const count = 24;
    let lose = () => {};
    const { stream, warnings } = await encodeOn(
      await gpuWith(device => {
        lose = () => device.destroy();
        return device;
      }),
      { onPicture: ({ frame }) => (frame === lastPicture ? lose() : undefined) },
      count,
    );
    expect(warnings).toHaveLength(1);
    expect(sameBytes(stream, await encode({ estimator: 'cpu-mrmp' }, count))).toBe(true);
  });

  it('a driver that gives no device ends in the same bytes', async () => {
    const broken = await gpuWith(() => {
      throw new Error('out of luck');
    }, shared);
    const { stream, warnings } = await encodeOn(broken);
    expect(warnings).toEqual([expect.stringMatching(/gives no device: out of luck/)]);
    expect(sameBytes(stream, await encode({ estimator: 'cpu-mrmp' }))).toBe(true);
  });

  it('a driver that computes wrong is refused', async () => {
    const wrong = await gpuWith(device => {
      const createShaderModule = device.createShaderModule.bind(device);
      device.createShaderModule = ({ code, ...descriptor }) =>
        createShaderModule({
          ...descriptor,
          code: code.replace('3u * (pel(x, y) + pel(x, y + 1))', '3u * pel(x, y) + 2u * pel(x, y + 1)'),
        });
      return device;
    }, shared);
    const estimator: EstimatorFactory = parameters => createGpuMrmp(parameters, { gpu: wrong });
    const encoder = new Encoder({ ...OPTIONS, frameRate: 25, threads: 2, estimator });
    const [frame] = generateSample({ kind: 'snow', ...SIZE, frames: 1, seed: 3 });
    await encoder.add(frame); // the estimator is made meanwhile
    await expect(encoder.finish()).rejects.toSatisfy(
      error => error instanceof UnsupportedError && /computes wrong motion/.test(error.message),
    );
  });

  describe('a search thread that dies', () => {
    nameDeathsFile();

    it('ends in the same bytes', async () => {
      const estimator = fileURLToPath(new URL('../motion/fixtures/dying-estimator.mjs', import.meta.url));
      const warnings: string[] = [];
      const onWarning = (message: string) => warnings.push(message);
      writeFileSync(process.env.MPEGPU_TEST_DEATHS!, '');
      const expected = await encode({ estimator, threads: 2, onWarning });
      expect(warnings).toEqual([]);
      writeFileSync(process.env.MPEGPU_TEST_DEATHS!, 'x');
      const stream = await encode({ estimator, threads: 2, onWarning });
      expect(warnings).toHaveLength(1);
      expect(sameBytes(stream, expected)).toBe(true);
    });
  });
});
