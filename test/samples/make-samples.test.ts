// Tests of the command that makes samples.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { generateSample } from '../../samples/generate.js';
import { expectSameFrames } from '../support/compare-frames.js';
import { framesFromY4m } from '../support/decoders.js';
import { temporaryFolder } from '../support/ffmpeg-clips.js';

/** The built command: `npm test` builds first. */
const COMMAND = join(import.meta.dirname, '../../dist/samples/make-samples.js');

describe('make-samples', () => {
  const folder = temporaryFolder();

  it('writes the sample as y4m', () => {
    const target = join(folder, 'new', 'zoom.y4m');
    execFileSync('node', [COMMAND, 'zoom', target, '--size', '33x18', '--frames', '4', '--seed', '7'], {
      stdio: 'pipe',
    });
    const sample = generateSample({ kind: 'zoom', width: 33, height: 18, frames: 4, seed: 7 });
    expectSameFrames(framesFromY4m(readFileSync(target)), [...sample]);
  });

  it('writes the sample as PNG frames of the same picture, and clears those of an earlier run', async () => {
    const target = join(folder, 'frames');
    mkdirSync(target);
    writeFileSync(join(target, 'frame0009.png'), '');
    writeFileSync(join(target, 'notes.txt'), '');
    execFileSync('node', [COMMAND, 'snow', target, '--size', '49x31', '--frames', '3'], { stdio: 'pipe' });
    expect(readdirSync(target).sort()).toEqual(['frame0000.png', 'frame0001.png', 'frame0002.png', 'notes.txt']);
    const { y, u, v } = generateSample({ kind: 'snow', width: 49, height: 31, frames: 3, seed: 1 }).frame(2);
    const { data, info } = await sharp(join(target, 'frame0002.png')).raw().toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width: 49, height: 31, channels: 3 });
    for (let at = 0; at < y.length; at++) {
      const chroma = (Math.floor(at / 49) >> 1) * 25 + ((at % 49) >> 1);
      const [luma, cb, cr] = [(y[at]! - 16) * (255 / 219), u[chroma]! - 128, v[chroma]! - 128];
      const exact = [luma + 1.596027 * cr, luma - 0.391762 * cb - 0.812968 * cr, luma + 2.017232 * cb];
      for (const [channel, value] of exact.entries()) {
        const clipped = Math.min(255, Math.max(0, value));
        expect(Math.abs(data[3 * at + channel]! - clipped)).toBeLessThan(0.51);
      }
    }
  });

  it.each([
    [['pan'], 'exactly a kind and a target are needed'],
    [['tilt', 'x.y4m'], "kind 'tilt' is unknown; legal: pan, pan-subpel"],
    [['pan', 'x.y4m', '--size', '16'], "--size is '16'; legal: WIDTHxHEIGHT"],
    [['pan', 'x.y4m', '--size', '0x16'], 'width is 0; legal: a whole number, 1..4095'],
    [['pan', 'x.y4m', '--frames', '0'], 'frames is 0; legal'],
    [['pan', 'x.y4m', '--seed', 'one'], "--seed is 'one'; legal: a whole number"],
    [['pan', 'x.y4m', '--speed', '1'], "Unknown option '--speed'"],
    [['pan', 'x.y4m', '--software'], '--software is an option of the kind snow-wind alone'],
    [['snow-wind', 'x.y4m', '--grid', '8'], "--grid is '8'; legal: XxYxZ, such as 128x32x128"],
    [['snow-wind', 'x.y4m', '--flakes', '0'], 'flakes is 0; legal: a whole number, 1..8388608'],
  ])('says in one line what is wrong with %j, exit status 2', (args, message) => {
    const { status, stderr } = spawnSync('node', [COMMAND, ...args], { encoding: 'utf8', cwd: folder });
    expect(status).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(existsSync(join(folder, 'x.y4m'))).toBe(false);
  });
});
