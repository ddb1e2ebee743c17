// Ctrl-C, SIGTERM and SIGHUP during `mpegpu encode`.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { generateSample } from '../../samples/generate.js';
import { Interruption } from '../../src/cli/interruption.js';
import { decodeWithFfmpeg } from '../support/decoders.js';
import { temporaryFolder } from '../support/ffmpeg-clips.js';
import { listing, outcomeOf, startCli } from './run-cli.js';

const WIDTH = 352;
const HEIGHT = 288;
const folder = temporaryFolder();
const frame = generateSample({ kind: 'pan', width: WIDTH, height: HEIGHT, frames: 1, seed: 1 }).frame(0);
const y4mFrame = Buffer.concat([Buffer.from('FRAME\n'), frame.y, frame.u, frame.v]);

/**
 * Starts an encode of y4m from standard input, which stays open, and resolves when it has taken some frames: each is
 * larger than a pipe, so that a write has not ended before most of the frame has been read.
 */
async function startEncode(output: string, ...args: string[]) {
  const child = startCli(['encode', '-', '-o', output, ...args], { cwd: folder });
  const outcome = outcomeOf(child);
  child.stdin.on('error', () => {});
  child.stdin.write(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F25:1 Ip A1:1 C420jpeg\n`);
  for (let i = 0; i < 6; i++) await new Promise(resolve => child.stdin.write(y4mFrame, resolve));
  return { child, outcome };
}

describe('Ctrl-C', () => {
  it.each([
    ['SIGHUP', 'kept.mpg'],
    ['SIGTERM', 'kept.m1v'],
    ['SIGINT', 'kept.mp4'],
  ] as const)(
    '%s leaves what was coded, playable, as %s.partial',
    async (signal, output) => {
      const before = listing(folder);
      const { child, outcome } = await startEncode(output, '--estimator', 'cpu-predictive', '--quiet');
      child.kill(signal);
      const { status, stdout, stderr } = await outcome;
      expect(status).toBe(130);
      expect(stdout.toString()).toBe('');
      const frames = Number(/interrupted after (\d+) frames?: what was coded is in (\S+)/.exec(stderr)?.[1]);
      expect(stderr).toContain(`is in ${output}.partial\n`);
      expect(listing(folder).filter(name => !before.includes(name))).toEqual([`${output}.partial`]);
      expect(frames).toBeGreaterThan(0);
      expect((await decodeWithFfmpeg(join(folder, `${output}.partial`))).length).toBe(frames);
    },
    60_000,
  );

  it('a second one gives up at once and leaves nothing', async () => {
    const before = listing(folder);
    const stuck = `export default async () => {
      const busy = setInterval(() => {}, 1000); // as a search in a thread or on a GPU would, it keeps the process alive
      return {
        traits: { name: 'stuck', runsOn: 'js', exhaustive: false },
        device: 'a test',
        estimate: () => new Promise(() => {}),
        close: async () => clearInterval(busy),
      };
    };`;
    writeFileSync(join(folder, 'stuck.mjs'), stuck);
    const child = startCli(
      ['encode', '-', '-o', 'lost.mpg', '--recon', 'lost.y4m', '--estimator', './stuck.mjs', '--threads', '1'],
      {
        cwd: folder,
      },
    );
    const outcome = outcomeOf(child);
    child.stdin.on('error', () => {});
    child.stdin.write(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F25:1 Ip A1:1 C420jpeg\n`);
    for (let i = 0; i < 3; i++) await new Promise(resolve => child.stdin.write(y4mFrame, resolve));
    child.kill('SIGINT');
    await once(child.stderr, 'data');
    child.kill('SIGINT');
    const { status, stderr } = await outcome;
    expect(status).toBe(130);
    expect(stderr).toMatch(/\nmpegpu: interrupted twice: nothing was kept\n$/);
    expect(listing(folder)).toEqual([...before, 'stuck.mjs'].sort());
  });
});

describe('a command in this process', () => {
  const events = ['SIGINT', 'SIGTERM', 'SIGHUP', 'exit'] as const;
  const listening = () => events.map(event => process.listenerCount(event));
  /** What a signal, or the end of the process, calls last. */
  const call = (event: string) => process.listeners(event as 'exit').at(-1)!(0);

  it('is listened for while it runs, and then no longer', async () => {
    const before = listening();
    expect(await Interruption.during(async () => listening())).toEqual(before.map(count => count + 1));
    expect(listening()).toEqual(before);
    await expect(Interruption.during(() => Promise.reject(new Error('it broke')))).rejects.toThrow('it broke');
    expect(listening()).toEqual(before);
  });

  it('is asked to stop by a signal, and given up at the next one, after which more change nothing', async () => {
    const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const before = listening();
    const states: boolean[][] = [];
    const running = Interruption.during(async ({ stop, abort }) => {
      for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
        call(signal);
        states.push([stop.aborted, abort.aborted]);
      }
      return new Promise(() => {}); // as something would that cannot be ended
    }, 'stopping');
    await expect(running).rejects.toThrow('interrupted twice: nothing was kept');
    expect(said.mock.calls.map(([text]) => text)).toEqual(['mpegpu: stopping\n']);
    said.mockRestore();
    expect(states).toEqual([
      [true, false],
      [true, true],
    ]);
    expect(listening()).toEqual(before.map(count => count + 1));
    for (const event of events) process.off(event, process.listeners(event as 'exit').at(-1)!);
  });

  it('is given up when the process ends before', async () => {
    const running = Interruption.during(async ({ abort }) => {
      call('exit');
      throw abort.reason;
    });
    await expect(running).rejects.toThrow('the process has ended');
  });
});

describe('a closed standard output', () => {
  it('ends the encode quietly', async () => {
    const child = startCli(['encode', '-', '-o', '-', '--estimator', 'zero', '--q', '1'], { cwd: folder });
    child.stdout.destroy();
    const outcome = outcomeOf(child);
    child.stdin.on('error', () => {});
    child.stdin.write(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F25:1 Ip A1:1 C420jpeg\n`);
    // As many as the lookahead keeps back, and some.
    for (let i = 0; i < 40; i++) child.stdin.write(y4mFrame);
    const { status, stderr } = await outcome;
    expect(stderr).toBe('');
    expect(status).toBe(141);
  });
});
