// Peak memory of `mpegpu encode`.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { generateSample } from '../../../samples/generate.js';
import { temporaryFolder } from '../../support/ffmpeg-clips.js';
import { outcomeOf, startCli } from '../run-cli.js';

const WIDTH = 320;
const HEIGHT = 240;
const FRAME_BYTES = WIDTH * HEIGHT * 1.5;
const folder = temporaryFolder();
const reporter = fileURLToPath(new URL('../../../bench/report-usage.mjs', import.meta.url));
const sample = generateSample({ kind: 'pan', width: WIDTH, height: HEIGHT, frames: 8, seed: 1 });
const frames = [...sample].map(({ y, u, v }) => Buffer.concat([Buffer.from('FRAME\n'), y, u, v]));

/** The largest resident size, in bytes, of an encode of so many frames. */
async function peakBytes(length: number): Promise<number> {
  const report = join(folder, `peak${length}`);
  const args = [
    'encode',
    '-',
    '-o',
    `${length}.mpg`,
    '--estimator',
    'zero',
    '--preset',
    'fastest',
    '--q',
    '20',
    '--json',
  ];
  const child = startCli(args, {
    cwd: folder,
    env: { MPEGPU_BENCH_USAGE_FILE: report },
    // The young generation of each thread's heap would grow for some thousands of pictures, and then stay.
    nodeArgs: ['--max-semi-space-size=1', '--import', reporter],
  });
  const outcome = outcomeOf(child);
  child.stdin.write(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F25:1 Ip A1:1 C420jpeg\n`);
  for (let i = 0; i < length; i++) {
    if (!child.stdin.write(frames[i % frames.length])) await once(child.stdin, 'drain');
  }
  child.stdin.end();
  const { status, stdout, stderr } = await outcome;
  expect([status, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout.toString()).frames).toBe(length);
  return reportedPeak(report);
}

function reportedPeak(report: string): number {
  return JSON.parse(readFileSync(report, 'utf8')).peakBytes;
}

it('memory does not grow with the length of the sequence', async () => {
  // Long enough for the garbage collector's own ups and downs to be in both.
  const [short, long] = [200, 600];
  const growth = (await peakBytes(long)) - (await peakBytes(short));
  // Were every frame kept, it would be all of the difference in length.
  expect(growth).toBeLessThan(0.6 * (long - short) * FRAME_BYTES);
});

it("the peak is the process's own, not that of the one that starts it", () => {
  const held = Buffer.alloc(200e6, 1);
  const report = join(folder, 'own-peak');
  spawnSync(process.execPath, ['--import', reporter, '--eval', ''], {
    env: { ...process.env, MPEGPU_BENCH_USAGE_FILE: report },
  });
  expect(reportedPeak(report)).toBeLessThan(held.length);
});
