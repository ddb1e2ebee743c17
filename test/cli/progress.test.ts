// What the progress display says, by a clock of its own.
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { generateSample } from '../../samples/generate.js';
import { writeY4m } from '../../samples/write-frames.js';
import { progressDisplay } from '../../src/cli/progress-bar.js';
import { ProgressMeter } from '../../src/cli/progress-meter.js';
import { temporaryFolder } from '../support/ffmpeg-clips.js';
import { runCliHere } from './run-cli.js';

const frameRate = { numerator: 25, denominator: 1 };
const SECOND = 1000;

/** A stream that keeps what it gets, and a clock. */
function fakeDisplay(isTTY: boolean, columns = 200) {
  const stream = Object.assign(new PassThrough(), { isTTY, columns });
  const clock = { ms: 5 * SECOND };
  // Without a length, newer Nodes give one write at a time.
  const written = () => String(stream.read(stream.readableLength) ?? '');
  return { display: { stream, nowMs: () => clock.ms }, clock, written };
}

describe('the figures', () => {
  it('are pictures, pictures a second, bit rate, scale, and the time left', () => {
    const meter = new ProgressMeter(100, { label: 'pass 1 of 2', frameRate }, 0);
    meter.part = 'chunk 3 of 12';
    for (let i = 1; i <= 20; i++) meter.update(i, { bits: 8000 * i, q: i % 2 === 0 ? 4 : 7 }, i * 100);
    expect(meter.label).toBe('pass 1 of 2, chunk 3 of 12: ');
    // 84000 bits a picture in the mean.
    expect(meter.text(2 * SECOND)).toBe('20 of 100 pictures | 10.0 pictures/s | 2100 kbit/s | scale 5.5 | 0:08 left');
  });

  it('tell the speed of the last quarter of a minute, not of the whole', () => {
    const meter = new ProgressMeter(5000, {}, 0);
    let done = 0;
    for (let ms = 0; ms < 60 * SECOND; ms += 100) meter.update(++done, undefined, ms); // 10 a second
    for (let ms = 60 * SECOND; ms <= 80 * SECOND; ms += 10) meter.update(++done, undefined, ms); // 100 a second
    expect(meter.text(80 * SECOND)).toBe('2601 of 5000 pictures | 100.0 pictures/s | 0:24 left');
    // Nothing comes any more: the speed falls with the time.
    expect(meter.text(95 * SECOND)).toMatch(/ 50\.\d pictures\/s \| 0:4\d left$/);
    expect(meter.summary(100 * SECOND)).toBe('2601 of 5000 pictures | 26.0 pictures/s | in 1:40');
  });

  it('have no time left where the length is not known, and follow an estimate that was too low', () => {
    const unknown = new ProgressMeter(undefined, { unit: 'pairs' }, 0);
    unknown.update(30, undefined, 2 * SECOND);
    expect(unknown.label).toBe('');
    expect(unknown.text(2 * SECOND)).toBe('30 pairs | 15.0 pairs/s');
    const low = new ProgressMeter(9.2, {}, 0);
    expect(low.text(SECOND)).toBe('0 of 10 pictures | 0.0 pictures/s');
    low.update(12, undefined, SECOND);
    expect(low.text(SECOND)).toBe('12 of 12 pictures | 12.0 pictures/s | 0:00 left');
    const long = new ProgressMeter(100_001, {}, 0);
    long.update(1, undefined, SECOND);
    expect(long.text(SECOND)).toContain('27:46:40 left');
  });
});

describe('the display', () => {
  it('is a line a minute and one at the end, with --progress where there is no terminal', () => {
    const { display, clock, written } = fakeDisplay(false);
    const progress = progressDisplay({ progress: true }, display)(1000, { label: 'pass 2 of 2', frameRate });
    progress.begin('chunk 1 of 2');
    for (let i = 1; i <= 250; i++) {
      clock.ms += SECOND / 2;
      progress.update(i, { bits: 4000, q: 6 });
    }
    const lines = written().split('\n');
    expect(lines).toEqual([
      'mpegpu: pass 2 of 2, chunk 1 of 2: 120 of 1000 pictures | 2.0 pictures/s | 100 kbit/s | scale 6.0 | 7:20 left',
      'mpegpu: pass 2 of 2, chunk 1 of 2: 240 of 1000 pictures | 2.0 pictures/s | 100 kbit/s | scale 6.0 | 6:20 left',
      '',
    ]);
    progress.stop();
    progress.stop();
    expect(written()).toBe(
      'mpegpu: pass 2 of 2: 250 of 1000 pictures | 2.0 pictures/s | 100 kbit/s | scale 6.0 | in 2:05\n',
    );
  });

  it.each([
    ['without --progress, where there is no terminal', {}, false],
    ['with --quiet, where there is no terminal', { quiet: true, progress: true }, false],
    ['with --quiet, on a terminal', { quiet: true, progress: true }, true],
  ])('is nothing %s', (_, flags, isTTY) => {
    const { display, clock, written } = fakeDisplay(isTTY);
    const progress = progressDisplay(flags, display)(10);
    clock.ms += 100 * SECOND;
    progress.update(5);
    progress.stop();
    expect(written()).toBe('');
  });

  it('is a bar on a terminal, with the same figures', () => {
    const { display, clock, written } = fakeDisplay(true);
    const progress = progressDisplay({}, display)(8, { label: 'pass 1 of 2', frameRate });
    expect(written()).toContain('pass 1 of 2: ░░░░░░░░░░░░░░░░░░░░ 0 % | 0 of 8 pictures | 0.0 pictures/s');
    clock.ms += SECOND;
    progress.update(4, { bits: 1000, q: 3 });
    progress.begin('chunk 1 of 1');
    progress.stop();
    expect(written()).toContain(
      'pass 1 of 2, chunk 1 of 1: ██████████░░░░░░░░░░ 50 % | 4 of 8 pictures | 4.0 pictures/s | 25 kbit/s | scale 3.0 | 0:01 left',
    );
  });

  it.each([
    [
      100,
      undefined,
      '██████░░░░░░ 50 % | 1500 of 3000 pictures | 100.0 pictures/s | 1150 kbit/s | scale 12.5 | 0:15 left',
    ],
    [80, undefined, '███░░░ 50 % | 1500 of 3000 pictures | 100.0 pictures/s | scale 12.5 | 0:15 left'],
    [80, 'pass 1 of 2', 'pass 1 of 2: ███░░░ 50 % | 1500 of 3000 pictures | 100.0 pictures/s | 0:15 left'],
    [40, undefined, '██░ 50 % | 100.0 pictures/s | 0:15 left'],
    [40, 'pass 1 of 2', 'pass 1 of 2: █████░░░░ 50 % | 0:15 left'],
    [20, 'pass 1 of 2', '50 % | 0:15 left'],
  ])('keeps the time left on a terminal of %i columns: %s', (columns, label, line) => {
    const { display, clock, written } = fakeDisplay(true, columns);
    const progress = progressDisplay({}, display)(3000, { ...(label && { label }), frameRate });
    for (let done = 1; done <= 1500; done++) {
      clock.ms += 10;
      progress.update(done, { bits: 46_000, q: 12.5 });
    }
    progress.stop();
    expect(written().split('\x1b[1G').at(-2)!.split('\x1b')[0]).toBe(line);
  });

  it('is none on a terminal that knows no cursor', () => {
    vi.stubEnv('TERM', 'dumb');
    const { display, written } = fakeDisplay(true);
    progressDisplay({}, display)(8).stop();
    expect(written()).toBe('');
    progressDisplay({ progress: true }, display)(8).stop();
    expect(written()).toBe('mpegpu: 0 of 8 pictures | 0.0 pictures/s | in 0:00\n');
    vi.unstubAllEnvs();
  });
});

describe('the commands', () => {
  const cwd = temporaryFolder();
  const run = (command: string) => runCliHere([...command.split(' ')], { cwd });

  beforeAll(async () => {
    const sample = generateSample({ kind: 'pan', width: 32, height: 32, frames: 4, seed: 1 });
    await writeY4m(join(cwd, 'clip.y4m'), sample, 25, () => {});
  });

  it.each([
    ['encode clip.y4m -o a.m1v', ['']],
    [
      'encode clip.y4m -o b.m1v --bitrate 100k --passes 2 --matrix tuned',
      ['pass 1 of 2: ', 'matrix: ', 'pass 2 of 2: '],
    ],
    ['plan clip.y4m -o plan.json --bitrate 100k --passes 2', ['reading: ']],
    ['encode clip.y4m --plan plan.json -o c.m1v', ['pass 1 of 2: ', 'pass 2 of 2: ']],
    ['encode-chunk plan.json 0 --pass 1 -o 0.json', ['first pass of chunk 0: ']],
    ['plan --budgets plan.json 0.json -o plan2.json', []],
    ['encode-chunk plan2.json 0 -o 0.chunk', ['chunk 0: ']],
    ['assemble plan2.json 0.chunk -o d.m1v', ['assembling: ']],
    ['estimate clip.y4m', ['']],
    ['compare clip.y4m --estimators zero --qs 8', ['all encodes: ']],
  ])('say which part they are at: %s', async (command, labels) => {
    const { status, stderr } = await run(`${command} --progress`);
    expect(status).toBe(0);
    const lines = [...stderr.matchAll(/^mpegpu: (.*?)(\d+) of \2 (?:pictures|pairs) \| .* in \d+:\d\d$/gm)];
    expect(lines.map(([, label]) => label)).toEqual(labels);
    if (/encode|assemble/.test(command)) for (const [line] of lines) expect(line).toMatch(/pictures\/s \| /);
    const coding = /^encode|^assemble/.test(command) && !command.includes('--pass 1');
    if (coding) expect(lines.at(-1)![0]).toMatch(/ \| \d+ kbit\/s \| scale \d+\.\d \| in 0:0\d$/);
  });

  it.each(['encode clip.y4m', 'encode clip.y4m --plan plan.json', 'assemble plan2.json 0.chunk'])(
    'write no video to a terminal: %s',
    async command => {
      const { isTTY } = process.stdout;
      process.stdout.isTTY = true;
      try {
        expect(await run(`${command} -o -`)).toMatchObject({
          status: 2,
          stdout: Buffer.alloc(0),
          stderr: 'mpegpu: -o - writes a video, and standard output is a terminal: pipe it, or name a file\n',
        });
      } finally {
        process.stdout.isTTY = isTTY;
      }
    },
  );
});
