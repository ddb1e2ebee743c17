// What plan, encode-chunk and assemble say of what they made, and where they write nothing.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { generateSample } from '../../../samples/generate.js';
import { writeY4m } from '../../../samples/write-frames.js';
import type { ChunkPlan } from '../../../src/chunks/chunk-plan.js';
import { temporaryFolder } from '../../support/ffmpeg-clips.js';
import { listing, runCliHere } from '../run-cli.js';

const FRAMES = 34;
const folder = temporaryFolder();
const bytesOf = (name: string) => readFileSync(join(folder, name));
const planIn = (name: string) => JSON.parse(bytesOf(name).toString()) as ChunkPlan;
const run = (line: string) => runCliHere(line.split(' '), { cwd: folder });

async function reportOf(line: string) {
  const { status, stdout, stderr } = await run(`${line} --json`);
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout.toString());
}

beforeAll(async () => {
  const sample = generateSample({ kind: 'pan', width: 48, height: 32, frames: FRAMES, seed: 2 });
  await writeY4m(join(folder, 'in.y4m'), sample, 25, () => {});
  const plan = 'plan in.y4m -o p.json --fps 29.97 --preset fastest --chunk-seconds 0.4-0.5';
  const { status, stdout } = await run(plan);
  expect(status).toBe(0);
  writeFileSync(join(folder, 'summary'), stdout);
});

it('plan tells the number of chunks, and how many seconds the shortest and the longest last', () => {
  const lengths = planIn('p.json').chunks.map(({ frames }) => (frames * 1001) / 30_000);
  const [shortest, longest] = [Math.min(...lengths), Math.max(...lengths)].map(seconds => seconds.toFixed(1));
  expect(shortest).not.toBe(longest);
  const line = `  chunks    ${lengths.length} of ${shortest} to ${longest} s; indices 0 to ${lengths.length - 1}\n`;
  expect(bytesOf('summary').toString()).toContain(line);
});

it('plan tells of one chunk in the singular', async () => {
  const { stdout } = await run('plan in.y4m -o one.json --frames 1');
  expect(stdout.toString()).toContain('one.json: 1 frame, 48x32\n  chunks    1 of 0.0 s; index 0\n');
});

it('plan --json gives the frame rate, and after a first pass the bits of each chunk', async () => {
  const coding = '--preset fastest --chunk-seconds 0.4-0.5 --bitrate 100k --passes 2';
  const planned = await reportOf(`plan in.y4m -o rate.json --fps 29.97 ${coding}`);
  expect(planned.frameRate).toBe(30_000 / 1001);
  expect(planned).toMatchObject({ frames: FRAMES, width: 48, height: 32, identity: planIn('rate.json').identity });
  const passes = planned.chunks.map(({ index }: { index: number }) => `pass-${index}`);
  for (const [index, pass] of passes.entries()) await run(`encode-chunk rate.json ${index} --pass 1 -o ${pass}`);
  const { chunks } = await reportOf(`plan ${passes.join(' ')} --budgets rate.json -o rate2.json`);
  const bits = chunks.reduce((sum: number, chunk: { bits: number }) => sum + chunk.bits, 0);
  expect(Math.abs(bits / ((100_000 * FRAMES * 1001) / 30_000) - 1)).toBeLessThan(0.05);
});

it('encode-chunk tells the bytes of its file', async () => {
  const { frames } = planIn('p.json').chunks[1]!;
  const report = await reportOf('encode-chunk p.json 1 -o one --threads 1');
  expect(report).toMatchObject({ index: 1, pass: 2, frames, bytes: bytesOf('one').length, output: 'one', threads: 1 });
  const { stdout } = await run('encode-chunk p.json 1 -o one --overwrite');
  expect(stdout.toString()).toMatch(new RegExp(`^one: chunk 1, ${frames} frames, ${bytesOf('one').length} bytes, `));
});

it('assemble writes to standard output nothing but the stream', async () => {
  const names = planIn('p.json').chunks.map(({ index }) => `chunk-${index}`);
  for (const [index, name] of names.entries()) await run(`encode-chunk p.json ${index} -o ${name}`);
  await run(`assemble p.json ${names.join(' ')} -o whole.m1v`);
  const { status, stdout } = await run(`assemble p.json ${names.join(' ')} -o -`);
  expect(status).toBe(0);
  expect(stdout.equals(bytesOf('whole.m1v'))).toBe(true);
});

it.each([
  ['plan in.y4m -o p.json', /p\.json exists already: choose another name, or use --overwrite/],
  ['plan in.y4m -o -', /-o - is not possible: a plan is a file \(--json prints it\)/],
])('%s is refused, and changes nothing', async (line, words) => {
  const [files, plan] = [listing(folder), bytesOf('p.json')];
  const { status, stdout, stderr } = await run(line);
  expect([status, stdout.toString()]).toEqual([2, '']);
  expect(stderr).toMatch(words);
  expect(listing(folder)).toEqual(files);
  expect(bytesOf('p.json').equals(plan)).toBe(true);
});

it('encode by a plan says once, for all chunks, that the bit rate is missed', async () => {
  const warningsAt = async (rate: string) => {
    const coding = `--preset fastest --chunk-seconds 0.4-0.5 --bitrate ${rate} --passes 2`;
    expect((await run(`plan noise.y4m -o missed.json ${coding} --overwrite`)).status).toBe(0);
    return (await reportOf('encode noise.y4m --plan missed.json -o missed.m1v --threads 1 --overwrite')).warnings;
  };
  const noise = new Uint8Array(48 * 32).map((_, i) => (i * i * 7919) % 251);
  const frames = Array.from({ length: FRAMES }, (_, n) => Buffer.concat([Buffer.from('FRAME\n'), pelsOf(noise, n)]));
  writeFileSync(
    join(folder, 'noise.y4m'),
    Buffer.concat([Buffer.from('YUV4MPEG2 W48 H32 F25:1 C420jpeg\n'), ...frames]),
  );
  const worst =
    /^(\d) of \1 chunks miss the bit rate, chunk \d by most: the bit rate is too low: .* quantizer_scale, 31$/;
  expect(await warningsAt('30k')).toEqual([expect.stringMatching(worst)]);
  // No chunk gets more than it takes at the finest scale: each keeps to its part, and the whole takes less.
  const unused = /^the bit rate is higher than needed: the stream takes 0\.\d\d times as much .* quantizer_scale, 1$/;
  expect(await warningsAt('50000k')).toEqual([expect.stringMatching(unused)]);
});

/** A frame of noise: of another place in the luma for each number, and gray chroma. */
function pelsOf(noise: Uint8Array, number: number): Buffer {
  const luma = noise.map((_, i) => noise[(i + 97 * number * number) % noise.length]!);
  return Buffer.concat([luma, Buffer.alloc(48 * 16, 128)]);
}
