// The figures of the summary and of the JSON report of `encode`, of a result whose figures are known.
import { expect, it } from 'vitest';
import { encodeReport, encodeSummary } from '../../../src/cli/encode/encode-report.js';
import { StdoutWriter } from '../../../src/cli/encode/stdout-writer.js';
import type { EncodeResult } from '../../../src/encode-files/encode-run.js';

/** 300 pictures at 29.97 Hz, 10.01 s; coded in 4 s. */
const RESULT: EncodeResult = {
  output: 'out.mpg',
  width: 352,
  height: 240,
  frameRate: { numerator: 30_000, denominator: 1001 },
  seconds: 4,
  interrupted: false,
  audio: {
    codec: 'mp2',
    sampleRate: 44_100,
    channels: 2,
    bitRate: 224_000,
    seconds: 10.005,
    from: 'in.mkv',
    tracks: 1,
  },
  audioNote: null,
  statistics: {
    frames: 300,
    bits: 3_003_000,
    psnr: { y: 40, u: 42, v: 43, all: 40.5 },
    estimator: 'cpu-log',
    device: 'a test',
    passedOver: [{ name: 'gpu-mrmp', reason: 'gpu-mrmp: no GPU; install a driver' }],
    threads: 1,
    motion: { waitMs: 400, setupWaitMs: 0, setupMs: 0, busyMs: 500, pictures: 299 },
    stages: { inputMs: 200, motionMs: 400, codingMs: 2400, writingMs: 600 },
  },
};

it('the summary has the bit rate, the speed and the shares of time that follow from them', () => {
  expect(encodeSummary(RESULT).split('\n')).toEqual([
    'out.mpg: 300 frames, 352x240, 29.97 frames/s',
    '  size      3003000 bits, 300.0 kbit/s',
    '  PSNR      40.50 dB (Y 40.00, U 42.00, V 43.00)',
    '  sound     44.1 kHz stereo, 224 kbit/s, 10.0 s',
    '  speed     75.0 frames/s: 4.00 s on 1 thread',
    '  estimator cpu-log (a test)',
    '            not gpu-mrmp: no GPU (mpegpu devices says more)',
    '  time      waiting for frames 5 %, waiting for motion 10 %, coding 60 %, writing headers 15 %, all else 10 %',
    '',
  ]);
  const { audio, statistics } = RESULT;
  const other = encodeSummary({
    ...RESULT,
    audio: { ...audio!, channels: 1 },
    statistics: { ...statistics, threads: 2 },
  });
  expect(other).toContain('44.1 kHz mono,');
  const perfect = { y: 40, u: Number.POSITIVE_INFINITY, v: 43, all: 40.5 };
  const one = encodeSummary({ ...RESULT, statistics: { ...statistics, frames: 1, psnr: perfect } });
  expect(one).toContain('out.mpg: 1 frame, 352x240,');
  expect(one).toContain('(Y 40.00, U 100.00, V 43.00)');
  expect(other).toContain('4.00 s on 2 threads\n');
  expect(other).toMatch(/coding 60 %, writing headers 15 % \(100 %: one thread all the time\)\n$/);
  const { stages } = statistics;
  // Clocks that differ a little: nothing is left, not less than nothing.
  const rounded = encodeSummary({ ...RESULT, statistics: { ...statistics, stages: { ...stages, codingMs: 2900 } } });
  expect(rounded).toMatch(/, all else 0 %\n$/);
});

it('the report has the exact frame rate', () => {
  expect(encodeReport(RESULT, ['a warning'])).toMatchObject({
    frames: 300,
    frameRate: 30_000 / 1001,
    bits: 3_003_000,
    seconds: 4,
    fps: 75,
    output: 'out.mpg',
    interrupted: false,
    ...{ threads: 1, motion: RESULT.statistics.motion, passedOver: RESULT.statistics.passedOver },
    warnings: ['a warning'],
  });
  const { output: _, statistics, ...nothing } = RESULT;
  const other = { ...nothing, statistics: { ...statistics, threads: 3 }, interrupted: true } as EncodeResult;
  expect(encodeReport(other, [])).toMatchObject({
    ...{ output: null, threads: 3 },
    interrupted: true,
  });
});

it('no stream is written to a terminal', () => {
  const { isTTY } = process.stdout;
  try {
    process.stdout.isTTY = true;
    expect(() => new StdoutWriter()).toThrow(/-o - writes a video, and standard output is a terminal/);
  } finally {
    process.stdout.isTTY = isTTY;
  }
});
