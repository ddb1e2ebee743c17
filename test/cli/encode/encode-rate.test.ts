// `mpegpu encode --bitrate`: rates, two passes, buffers and targets.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { generateSample } from '../../../samples/generate.js';
import { writeY4m } from '../../../samples/write-frames.js';
import { expectSameFrames } from '../../support/compare-frames.js';
import { decodeWithFfmpeg, framesFromY4m } from '../../support/decoders.js';
import { temporaryFolder } from '../../support/ffmpeg-clips.js';
import { verifyVbv } from '../../support/vbv-verifier.js';
import { encodeJson, runCliHere } from '../run-cli.js';

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const setting = { cwd: folder };
const CPU = ['--estimator', 'cpu-predictive', '--preset', 'fast', '--threads', '1'];
/** Both passes in threads. */
const THREADS = ['--threads', '3'];
const PICTURES = 64;

beforeAll(async () => {
  const sample = generateSample({ kind: 'snow', width: 96, height: 80, frames: PICTURES, seed: 6 });
  await writeY4m(at('in.y4m'), sample, 25, () => {});
});

const rateOf = ({ bits }: { bits: number }) => (bits * 25) / PICTURES;

describe('encode --bitrate', () => {
  it('--passes 2 reads the input twice, writes once, and is nearer to the rate', async () => {
    const args = ['in.y4m', '-o', 'two.m1v', '--recon', 'two.y4m', '--bitrate', '120k', '--passes', '2'];
    const report = await encodeJson([...args, ...CPU, ...THREADS], setting);
    expect(report.pictures.length).toBe(PICTURES);
    expect(Math.abs(rateOf(report) / 120_000 - 1)).toBeLessThan(0.01);
    expect(readFileSync(at('two.m1v')).length * 8).toBe(report.bits);
    const recon = framesFromY4m(readFileSync(at('two.y4m')));
    expect(recon.length).toBe(PICTURES);
    expectSameFrames(await decodeWithFfmpeg(at('two.m1v')), recon, 'two passes');
  });

  it('--passes 2 --matrix tuned reads the input twice, too, and keeps to the rate', async () => {
    const args = ['in.y4m', '-o', 'tuned.m1v', '--recon', 'tuned.y4m', '--bitrate', '120k', '--passes', '2'];
    const report = await encodeJson([...args, '--matrix', 'tuned', ...CPU], setting);
    expect(report.pictures.length).toBe(PICTURES);
    expect(Math.abs(rateOf(report) / 120_000 - 1)).toBeLessThan(0.01);
    const recon = framesFromY4m(readFileSync(at('tuned.y4m')));
    expectSameFrames(await decodeWithFfmpeg(at('tuned.m1v')), recon, 'tuned matrix');
  });

  it.each([
    [['--bitrate', '120k'], /--matrix tuned needs --passes 2/],
    [['--bitrate', '120k', '--passes', '2', '--tune', 'ssim'], /--matrix tuned is tuned by PSNR/],
    [['--bitrate', '120k', '--passes', '2', '--intra-matrix', 'in.y4m'], /exclude each other/],
  ])('--matrix tuned with %j is refused', async (args, says) => {
    const { status, stderr } = await runCliHere(
      ['encode', 'in.y4m', '-o', 'no.m1v', '--matrix', 'tuned', ...args, ...CPU],
      setting,
    );
    expect(stderr).toMatch(says);
    expect(status).toBe(2);
  });

  it('reports the mean quantizer_scale, which need not be whole', async () => {
    const report = await encodeJson(['in.y4m', '-o', 'one.mpg', '--bitrate', '0.12M', ...CPU], setting);
    expect(Math.abs(rateOf(report) / 120_000 - 1)).toBeLessThan(0.03);
    expect(report.pictures.some(({ q }) => !Number.isInteger(q))).toBe(true);
  });

  it('warns of a rate that no picture takes', async () => {
    const report = await encodeJson(['in.y4m', '-o', 'much.m1v', '--bitrate', '60M', '--frames', '8', ...CPU], setting);
    expect(report).toMatchObject({ warnings: [expect.stringMatching(/^the bit rate is higher than needed/)] });
  });

  it('--cbr and --vbv make a stream for that buffer', async () => {
    await encodeJson(['in.y4m', '-o', 'cbr.m1v', '--bitrate', '120k', '--cbr', '--vbv', '10240', ...CPU], setting);
    const { bitRate, bufferBits, violations } = verifyVbv(readFileSync(at('cbr.m1v')));
    expect({ bitRate, bufferBits, violations }).toEqual({ bitRate: 120_000, bufferBits: 81_920, violations: [] });
  });

  it('says before the first pass that an output exists', async () => {
    await encodeJson(['in.y4m', '-o', 'there.m1v', '--frames', '2', ...CPU], setting);
    const args = ['encode', 'in.y4m', '-o', 'there.m1v', '--bitrate', '120k', '--passes', '2', ...CPU];
    const { status, stderr } = await runCliHere(args, setting);
    expect(stderr).toMatch(/there\.m1v exists already/);
    expect(status).toBe(2);
  });

  it('--target jsmpeg has no B pictures', async () => {
    const report = await encodeJson(
      ['in.y4m', '-o', 'js.ts', '--target', 'jsmpeg', '--bitrate', '120k', ...CPU],
      setting,
    );
    expect(report.pictures.every(({ type }) => type !== 'B')).toBe(true);
  });
});
