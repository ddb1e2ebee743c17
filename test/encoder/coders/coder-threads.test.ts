// Pictures coded side by side: the same bytes for any number of threads, also when threads die.
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Encoder } from '../../../src/encoder/encoder.js';
import type { EncoderOptions } from '../../../src/encoder/options.js';
import type { Frame } from '../../../src/picture/frame.js';
import { ThreadStock } from '../../../src/threads/node/thread-stock.js';
import type { HostedThread, ThreadEntry } from '../../../src/threads/thread-messages.js';
import { seededRandom } from '../../kernels/kernel-pair.js';

// Many rows, which pictures wait for, of few macroblocks.
const [width, height] = [128, 240];
const FRAMES = 28;
/** Frames that are added before the threads have time to start, so that many pictures are coded by them. */
const FIRST_FRAMES = 16;
const START_MS = 300;

/** A texture that moves fast enough that vectors point rows ahead; another one from frame 18 on. */
function movingFrames(width: number): Frame[] {
  const textures = [1, 2].map(seed => {
    const random = seededRandom(seed);
    const coarse = Uint8Array.from({ length: 64 * 64 }, () => 40 + (random() % 160));
    return (x: number, y: number) => coarse[((y >> 2) & 63) * 64 + ((x >> 2) & 63)]!;
  });
  return Array.from({ length: FRAMES }, (_, frame) => {
    const texture = textures[frame < 18 ? 0 : 1]!;
    const y = new Uint8Array(width * height);
    for (let i = 0; i < y.length; i++) {
      y[i] = texture((i % width) + 3 * frame, Math.floor(i / width) + (frame % 7) * 11);
    }
    const chroma = new Uint8Array((width * height) / 4).fill(118 + (frame % 5));
    return { width, height, y, u: chroma, v: chroma };
  });
}

/** For kernels that take ten times as long. */
const NARROW = 16;
/** For what is coded so fast that the encode would be over before its threads take part. */
const WIDE = 256;
const clips = new Map([width, WIDE].map(columns => [columns, movingFrames(columns)]));
clips.set(NARROW, movingFrames(NARROW).slice(0, 20));
const usualFrames = clips.get(width)!;

interface Outcome {
  readonly md5: string;
  readonly pictures: string[];
  readonly warnings: string[];
}

async function encode(
  options: Partial<EncoderOptions>,
  onPicture = (_: number) => {},
  frames = clips.get(options.width ?? width)!,
): Promise<Outcome> {
  const hash = createHash('md5');
  const pictures: string[] = [];
  const warnings: string[] = [];
  const encoder = new Encoder({
    width,
    height,
    frameRate: 25,
    estimator: 'cpu-log',
    range: { x: 32, y: 32 },
    onWarning: message => warnings.push(message),
    onPicture: report => {
      const { frame, type, bits, q, squaredError, vectorBits, macroblocks } = report;
      pictures.push(JSON.stringify([frame, type, bits, q, squaredError, vectorBits, macroblocks, report.vectors()]));
      onPicture(pictures.length);
    },
    onReconstruction: frame => {
      for (const plane of [frame.y, frame.u, frame.v]) hash.update(plane);
    },
    ...options,
  });
  const written = (async () => {
    for await (const { data } of encoder) hash.update(data);
  })();
  written.catch(() => {});
  for (const [number, frame] of frames.entries()) {
    await encoder.add(frame);
    if (number === FIRST_FRAMES && (options.threads ?? 1) > 1) await sleep(START_MS);
  }
  await encoder.finish();
  await written;
  return { md5: hash.digest('hex'), pictures, warnings };
}

/** Counts the threads that encodes take to code. */
class CountingStock extends ThreadStock {
  coders = 0;

  override start(entry: ThreadEntry, onDeath: (reason: unknown) => void): Promise<HostedThread> {
    if (entry.entry.includes('coder-worker')) this.coders++;
    return super.start(entry, onDeath);
  }
}

/** For encodes that are not about the start and the end of threads. */
const keeper = new CountingStock();
afterAll(() => keeper.close());

/** Threads that were started in this test. */
let workers: Worker[] = [];
const onWorker = (worker: Worker) => workers.push(worker);
beforeEach(() => {
  workers = [];
  process.on('worker', onWorker);
});
afterEach(() => {
  process.off('worker', onWorker);
});

const MODES: [string, Partial<EncoderOptions>][] = [
  ['adaptive types, tree', { q: 6 }],
  // The others are too fast for it: the encode would be over before its threads take part.
  [
    'preset fastest, reference kernels',
    { q: 6, preset: 'fastest', estimator: 'zero', kernels: 'reference', width: NARROW },
  ],
  // All that it does, and less of what takes the time.
  [
    'quality, preset smallest',
    {
      ...{ quality: 70, preset: 'smallest', candidates: 2 },
      tools: { rdVectorCandidates: 3, fullRefinementRounds: 1, quantizerSearchRadius: 1, directionFactor: 2 },
    },
  ],
  ['quality, preset best', { quality: 70, preset: 'best', candidates: 2 }],
  [
    'a fixed pattern of closed groups, a slice a row',
    { q: 3, adaptiveTypes: false, gop: 7, openGop: false, slices: 'rows' },
  ],
  ['groups of one picture', { q: 1, gop: 1 }],
  ['long groups of P pictures, fast', { q: 2, gop: 300, bFrames: 0, preset: 'fast', width: WIDE }],
  ['no estimator, by activity', { q: 5, estimator: 'zero', aq: 1, bFrames: 7 }],
  ['a bit rate', { bitrate: 400_000 }],
  ["a decoder's buffer that is nearly too small", { bitrate: 400_000, maxrate: 450_000, vbvBytes: 20_480 }],
  ['a constant bit rate', { bitrate: 1_500_000, cbr: true, bFrames: 1 }],
  ['reconstructed references', { q: 6, motionReference: 'reconstructed' }],
];

/** Whether pictures do not have to wait for each other. */
function isSideBySide({ bitrate, motionReference }: Partial<EncoderOptions>): boolean {
  return bitrate === undefined && motionReference !== 'reconstructed';
}

describe('coder threads', () => {
  it.each(MODES)('give the same stream, reports and reconstructions as one thread: %s', async (_, mode) => {
    // Threads start at once where much is to come: on a quick machine they would come too late for so few pictures.
    const options = { ...mode, expectedFrames: 1_000_000 };
    const one = await encode({ ...options, threads: 1 });
    expect(one.pictures).toHaveLength(clips.get(options.width ?? width)!.length);
    // Reference kernels take V8 half a second to compile, in each thread.
    const isSlow = !isSideBySide(options) || options.kernels === 'reference';
    const threads = options.q === 3 ? 8 : isSlow ? 2 : 3;
    const before = keeper.coders;
    const several = await encode({ ...options, threads, keptThreads: { keeper } });
    // Pictures that wait for the one before are coded without threads; on a busy machine a thread may come too late.
    const least = options.motionReference === 'reconstructed' ? 0 : threads - 1;
    expect(keeper.coders - before).toBeGreaterThanOrEqual(least);
    expect(several.pictures).toEqual(one.pictures);
    expect(several).toEqual(one);
  });

  it('start at once where much is known to come', async () => {
    const tiny = movingFrames(16).slice(0, 2);
    const options = { width: 16, q: 6, preset: 'fastest', estimator: 'zero', threads: 3 } as const;
    const before = keeper.coders;
    await encode({ ...options, expectedFrames: 1_000_000, keptThreads: { keeper } }, undefined, tiny);
    expect(keeper.coders - before).toBe(options.threads);
  });

  it('start after a while where it is not known how much is to come', async () => {
    const before = keeper.coders;
    const many = Array.from({ length: 8 }, () => usualFrames).flat();
    await encode({ q: 4, threads: 2, keptThreads: { keeper } }, undefined, many);
    expect(keeper.coders).toBeGreaterThan(before);
  });

  it('that die are done without: the same stream, and a warning of each', async () => {
    // On a busy machine threads start late: there must be pictures left for them.
    const frames = [...usualFrames, ...usualFrames, ...usualFrames];
    const options = { q: 4, expectedFrames: 1_000_000 };
    const one = await encode({ ...options, threads: 1 }, undefined, frames);
    const dying = (pictures: number) => {
      // The first is the lookahead's; those that analyse for it and those that code die, at the start or at work.
      if (pictures >= 15 && pictures % 3 === 0) void workers[1 + (pictures - 15) / 3]?.terminate();
    };
    const died = await encode({ ...options, threads: 4 }, dying, frames);
    expect(workers.length).toBeGreaterThanOrEqual(4);
    expect(died.pictures).toEqual(one.pictures);
    expect(died.md5).toBe(one.md5);
    expect(died.warnings.length).toBeGreaterThan(0);
    const [coders, analysis] = [
      /^(a coder thread (died|could not start)|no coder thread starts) \(/,
      /^(a thread that analyses pictures failed|no threads start to analyse pictures) \(it has ended\)/,
    ];
    const others = died.warnings.filter(warning => !coders.test(warning));
    expect(others.length).toBeLessThan(died.warnings.length);
    expect(others).toEqual([expect.stringMatching(analysis)]);
  });

  it('end with an encode that is aborted', async () => {
    const aborter = new AbortController();
    const warnings: string[] = [];
    const onWarning = (message: string) => void warnings.push(message);
    const encoding = encode({ q: 4, threads: 4, signal: aborter.signal, onWarning }, pictures => {
      if (pictures === 15) aborter.abort(new Error('enough'));
    });
    await expect(encoding).rejects.toThrow('enough');
    const exits = workers.map(worker => worker.threadId === -1 || new Promise(resolve => worker.once('exit', resolve)));
    await Promise.all(exits);
    // Those that analysed pictures have not failed.
    expect(warnings).toEqual([]);
  });
});
