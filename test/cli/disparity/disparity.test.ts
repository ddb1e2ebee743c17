// `mpegpu disparity`: its files, its figures, its messages; the bad pels of Middlebury's cones.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { readDisparities } from '../../../src/media/maps/disparity-file.js';
import { encodePfm } from '../../../src/media/maps/pfm-format.js';
import type { GrayPicture } from '../../../src/stereo/matcher.js';
import { shiftedPair } from '../../stereo/shifted-pair.js';
import { CLIPS_FOLDER } from '../../support/clips.js';
import { temporaryFolder } from '../../support/ffmpeg-clips.js';
import { describeWith } from '../../support/requirements.js';
import { type CliRun, runCliHere } from '../run-cli.js';

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const { left, right, shifts, width, height } = shiftedPair();

async function savePicture(name: string, { width, height, pels }: GrayPicture): Promise<void> {
  await sharp(pels, { raw: { width, height, channels: 1 } })
    .png()
    .toFile(at(name));
}

beforeAll(async () => {
  await savePicture('left.png', left);
  await savePicture('right.png', right);
  await savePicture('small.png', { width: 40, height: 8, pels: new Uint8Array(320) });
  writeFileSync(at('text.png'), 'no picture');
  const values = new Float32Array(width * height);
  for (const { shift, fromY, toY } of shifts) values.fill(shift, fromY * width, toY * width);
  writeFileSync(at('truth.pfm'), encodePfm({ width, height, values }));
});

/** Runs `mpegpu disparity left.png right.png`, without a GPU. */
const disparity = (...args: string[]): Promise<CliRun> =>
  runCliHere(['disparity', at('left.png'), at('right.png'), '--matcher', 'cpu-sgm', '--range', '32', ...args], {
    cwd: folder,
  });

describe('mpegpu disparity', () => {
  it('writes the map and prints one JSON object', async () => {
    const run = await disparity('-o', at('map.pfm'), '--truth', at('truth.pfm'), '--json');
    expect(run).toMatchObject({ status: 0, stderr: '' });
    const report = JSON.parse(run.stdout.toString());
    expect(report).toMatchObject({ width, height, matcher: 'cpu-sgm', range: 32, format: 'pfm', scale: null });
    expect(report.badPixels.nonOccluded).toBeNull();
    expect(report.badPixels.all.above1).toBeLessThan(0.15);
    const { values } = await readDisparities(at('map.pfm'));
    expect(Math.round(values[7 * width + 50]!)).toBe(shifts[0].shift);
    expect(Math.round(values[35 * width + 50]!)).toBe(shifts[2].shift);
  });

  it('writes each format, and says its scale', async () => {
    const png = await disparity('-o', at('map.png'));
    expect(png.stdout.toString()).toMatch(/written {3}.*map\.png \(png, 8 to a pel\)/);
    await disparity('-o', at('kitti.png'), '--format', 'kitti', '--quiet', '--unfilled');
    expect((await sharp(at('kitti.png')).metadata()).depth).toBe('ushort');
    await disparity('-o', at('colours.png'), '--colour-map', '--quiet');
    expect((await sharp(at('colours.png')).metadata()).channels).toBe(3);
  });

  it.each<[string, readonly string[], RegExp]>([
    ['a range between the steps', ['--range', '40'], /^mpegpu: --range is 40; legal: multiples of 16 from 16 to 256$/],
    ['a range beyond the width', ['--range', '112'], /^mpegpu: the pictures are 96 pels wide, but --range is 112/],
    ['a mask without a truth', ['--mask', 'x.png'], /^mpegpu: --mask goes with --truth, which is missing$/],
    ['a truth of another size', ['--truth', 'small.png'], /^mpegpu: small\.png is 40x8, but the pictures are 96x42$/],
    ['a truth that is none', ['--truth', 'text.png'], /^mpegpu: text\.png cannot be decoded/],
    ['a colour map in a PFM', ['--colour-map', '--format', 'pfm'], /^mpegpu: --colour-map is for PNG of 8 bits/],
    ['standard output for the map', ['-o', '-'], /^mpegpu: --output - is not possible: use a file/],
    ['an output that is an input', ['-o', 'left.png', '--overwrite'], /^mpegpu: .* are both left\.png/],
    [
      'an unknown ending',
      ['-o', 'map.jpg'],
      /^mpegpu: map\.jpg ends with neither \.png nor \.pfm: --format says which$/,
    ],
    ['P2 below P1', ['--p1', '50', '--p2', '9'], /^mpegpu: --p2 is 9; legal: whole numbers from 50 \(P1\) to 200$/],
  ])('refuses %s', async (_, args, says) => {
    const before = readdirSync(folder);
    const run = await disparity('-o', 'bad.png', ...args);
    expect(run.stderr.trim()).toMatch(says);
    expect(run.status).toBe(2);
    expect(readdirSync(folder)).toEqual(before);
  });

  it.each<[string, string, RegExp]>([
    ['sizes that differ', 'small.png', /left\.png is 96x42, but small\.png is 40x8: one size is needed/],
    ['a file that is no picture', 'text.png', /text\.png is not an image/],
    ['no file', 'none.png', /none\.png cannot be read/],
  ])('refuses %s', async (_, other, says) => {
    const run = await runCliHere(['disparity', 'left.png', other, '-o', 'bad.png'], { cwd: folder });
    expect(run.stderr).toMatch(says);
    expect(run.status).toBe(2);
    expect(existsSync(at('bad.png'))).toBe(false);
  });

  it('says that pels which are not opaque are shown on black', async () => {
    await sharp(at('right.png')).ensureAlpha(0.5).toFile(at('glass.png'));
    const run = await runCliHere(
      ['disparity', 'left.png', 'glass.png', '--matcher', 'cpu-sgm', '-o', 'glass.pfm', '--json'],
      { cwd: folder },
    );
    const warning = 'glass.png has an alpha channel: it is shown on black';
    expect(run).toMatchObject({ status: 0, stderr: `mpegpu: ${warning}\n` });
    expect(JSON.parse(run.stdout.toString()).warnings).toEqual([warning]);
  });

  it('replaces nothing unasked', async () => {
    writeFileSync(at('kept.png'), 'kept');
    expect((await disparity('-o', 'kept.png')).stderr).toMatch(/exists already: .* use --overwrite/);
    expect(readFileSync(at('kept.png'), 'utf8')).toBe('kept');
  });
});

const cones = join(CLIPS_FOLDER, 'stereo_cones');

describeWith('clips', "Middlebury's cones", () => {
  it('has at most 3.5 % bad pels that are not occluded', async () => {
    const [one, other, truth, mask] = ['L', 'R', 'gt_disparity_L', 'mask_L'].map(name => join(cones, `${name}.png`));
    const args = ['--truth', truth!, '--mask', mask!, '--matcher', 'cpu-sgm', '-o', at('cones.png'), '--json'];
    const run = await runCliHere(['disparity', one!, other!, ...args], { cwd: folder });
    const { nonOccluded, all } = JSON.parse(run.stdout.toString()).badPixels;
    expect(nonOccluded.above1).toBeLessThanOrEqual(0.035);
    expect(nonOccluded.above2).toBeLessThan(nonOccluded.above1);
    expect(all.pels).toBeGreaterThan(nonOccluded.pels);
  });
});
