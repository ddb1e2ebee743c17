// `encode --latency low`: all bytes of a picture are out before the next frame is read.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { generateSample } from '../../../samples/generate.js';
import { writeY4m } from '../../../samples/write-frames.js';
import { FRAME_RATES } from '../../../src/bitstream/tables/frame-rate.js';
import { containerForPath } from '../../../src/media/containers/container.js';
import { VideoWriter } from '../../../src/media/output/video-writer.js';
import { encodeFrames } from '../../support/encode.js';
import { temporaryFolder } from '../../support/ffmpeg-clips.js';
import { outcomeOf, runCliHere, startCli } from '../run-cli.js';

const SIZE = { width: 64, height: 48 };
const FORMAT = { ...SIZE, frameRate: FRAME_RATES[2]! };
const FRAMES = [...generateSample({ kind: 'snow', ...SIZE, frames: 5, seed: 9 })];
const folder = temporaryFolder();

/** The units of an encode and what a transport stream has for each. */
async function transportStream() {
  const options = { ...SIZE, latency: 'low', bitrate: 500_000, gop: 3, target: 'jsmpeg' } as const;
  const { units } = await encodeFrames(FRAMES, options);
  const { writer } = containerForPath('x.ts', FORMAT);
  return { units, parts: units.map(unit => Buffer.concat(writer.write(unit))) };
}

describe('encode --latency low', () => {
  it('has written the bytes of each frame before the next one comes from a pipe', async () => {
    const { parts } = await transportStream();
    const live = ['--latency', 'low', '--bitrate', '500k', '--gop', '3', '--target', 'jsmpeg'];
    const child = startCli(['encode', '-', '-o', '-', ...live, '--estimator', 'cpu-predictive'], { cwd: folder });
    const ended = outcomeOf(child);
    let received = 0;
    child.stdout.on('data', bytes => {
      received += bytes.length;
    });
    child.stdin.write(`YUV4MPEG2 W${SIZE.width} H${SIZE.height} F25:1 Ip A1:1 C420jpeg\n`);
    let due = 0;
    for (const [n, { y, u, v }] of FRAMES.entries()) {
      child.stdin.write(Buffer.concat([Buffer.from('FRAME\n'), y, u, v]));
      due += parts[n]!.length;
      while (received < due && child.exitCode === null) await delay(2);
      expect(received).toBe(due);
    }
    child.stdin.end();
    const { status, stdout, stderr } = await ended;
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout.equals(Buffer.concat(parts))).toBe(true);
  });

  it('ends a bare stream on standard output as others end', async () => {
    const input = join(folder, 'live.y4m');
    await writeY4m(input, FRAMES.slice(0, 1), 25, () => {});
    const live = ['--latency', 'low', '--bitrate', '500k', '--threads', '1', '--estimator', 'zero'];
    const { status, stdout } = await runCliHere(['encode', input, '-o', '-', ...live], { cwd: folder });
    expect([status, stdout.toString('hex', stdout.length - 4)]).toEqual([0, '000001b7']);
  });

  it.each([
    [['--bframes', '2'], '--bframes 2 does not go with --latency low'],
    [['--bitrate', '1M', '--cbr'], '--cbr with --latency low fills'],
    [
      ['--bitrate', '1M', '--passes', '2'],
      '--passes 2 reads all frames before it codes the first: use --passes 1, or leave out --latency low',
    ],
    [['--open-gop'], '--open-gop does not go with --latency low'],
    [['--latency', 'normal', '--intra-refresh', 'columns'], '--intra-refresh columns needs --latency low'],
  ])('refuses %o in one line', async (flags, message) => {
    const input = join(folder, 'in.y4m');
    await writeY4m(input, FRAMES.slice(0, 1), 25, () => {});
    const args = ['encode', input, '-o', join(folder, 'x.m1v'), '--latency', 'low', ...flags];
    const { status, stderr } = await runCliHere(args, { cwd: folder });
    expect(status).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});

describe('a live file', () => {
  it('has all of a picture, its PES packet with a length, when write resolves', async () => {
    const { units, parts } = await transportStream();
    const writer = await VideoWriter.open(join(folder, 'live.ts'), FORMAT, { isLive: true });
    let bytes = 0;
    for (const [n, unit] of units.entries()) {
      await writer.write(unit);
      bytes += parts[n]!.length;
      expect(statSync(writer.place.writePath).size).toBe(bytes);
      // stream_id of video, then PES_packet_length: what follows of the header, and the picture.
      const start = parts[n]!.indexOf(Buffer.of(0, 0, 1, 0xe0));
      const length = parts[n]!.readUInt16BE(start + 4);
      expect(length).toBe(3 + parts[n]![start + 8]! + unit.data.length);
    }
    await writer.finish();
  });
});
