// What Dawn, the Vulkan loader and the drivers print reaches the user by `devices --verbose` only.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { generateSample } from '../../../samples/generate.js';
import { writeY4m } from '../../../samples/write-frames.js';
import { temporaryFolder } from '../../support/ffmpeg-clips.js';
import { encodeJson, runCli } from '../run-cli.js';

const folder = temporaryFolder();
/** A driver whose library is missing: the loader says so, and Dawn prints it. */
const broken = join(folder, 'broken.json');
/** What the tests are started with: the software GPU of scripts/swiftshader.mjs, or none. */
const working = process.env.VK_DRIVER_FILES ?? process.env.VK_ICD_FILENAMES;
/** With the broken driver alone, and without an ffmpeg, which would take 0.3 s to say its version. */
const alone = { cwd: folder, env: { VK_DRIVER_FILES: broken, FFMPEG_PATH: '/nowhere/ffmpeg' } };
/** With the broken driver beside the working one. */
const beside = { cwd: folder, env: { VK_DRIVER_FILES: [broken, ...(working ? [working] : [])].join(':') } };
const LINE = /Warning: .*no-such-driver/;

beforeAll(async () => {
  const library = join(folder, 'no-such-driver.so');
  const manifest = { file_format_version: '1.0.0', ICD: { library_path: library, api_version: '1.1.0' } };
  writeFileSync(broken, JSON.stringify(manifest));
  const frames = generateSample({ kind: 'pan', width: 48, height: 32, frames: 4, seed: 5 });
  await writeY4m(join(folder, 'in.y4m'), frames, 25, () => {});
});

it('devices keeps the lines, and says what there is', async () => {
  const { status, stdout, stderr } = await runCli(['devices'], beside);
  expect([status, stderr]).toEqual([0, '']);
  const text = stdout.toString();
  expect(text).not.toMatch(LINE);
  for (const line of [
    /^CPU {6}\S/m,
    /^kernels {2}simd/m,
    /^ffmpeg {3}\S+ffmpeg \(ffmpeg version .*\), (on PATH|installed by npm), of 20\d\d$/m,
    /^GPU {6}\S/m,
    /^auto {5}(gpu-mrmp|cpu-predictive) /m,
  ]) {
    expect(text).toMatch(line);
  }
});

it('devices --verbose prints the lines, and names what is missing', async () => {
  const { status, stdout, stderr } = await runCli(['devices', '--verbose'], alone);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout.toString()).toMatch(/^drivers {2}\S/m);
  expect(stdout.toString()).toMatch(LINE);
  expect(stdout.toString()).toMatch(/^ffmpeg {3}none: FFMPEG_PATH is \/nowhere\/ffmpeg/m);
});

it('devices --json is one object without them; a software adapter is never what auto picks', async () => {
  const { status, stdout, stderr } = await runCli(['devices', '--json'], beside);
  expect([status, stderr]).toEqual([0, '']);
  const report = JSON.parse(stdout.toString());
  const { cpu, kernels, ffmpeg, gpu, auto } = report;
  expect(report).not.toHaveProperty('driverMessages');
  expect(cpu.threads).toBeGreaterThan(0);
  expect(kernels).toEqual({ simd: true, used: 'simd' });
  expect(ffmpeg.version).toMatch(/^ffmpeg version/);
  expect(ffmpeg.from).toMatch(/^(PATH|npm)$/);
  expect(ffmpeg.year).toBeGreaterThan(2017);
  const real = gpu.adapters.filter((adapter: { software: boolean }) => !adapter.software);
  expect(auto.estimator).toBe(real.length > 0 ? 'gpu-mrmp' : 'cpu-predictive');
  if (real.length === 0) expect(gpu.reason).not.toBe('');
});

it('devices --json --verbose has them', async () => {
  const { status, stdout, stderr } = await runCli(['devices', '--json', '--verbose'], alone);
  expect([status, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout.toString()).driverMessages.join('\n')).toMatch(LINE);
});

it('encode --estimator auto prints none of them, and passes over a software GPU', async () => {
  const args = ['encode', 'in.y4m', '-o', 'auto.mpg', '--estimator', 'auto', '--json'];
  const { status, stdout, stderr } = await runCli(args, beside);
  expect([status, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout.toString()).device).not.toMatch(/swiftshader/i);
});

it('encode --estimator gpu-mrmp prints its own error alone', async () => {
  const args = ['encode', 'in.y4m', '-o', 'gpu.mpg', '--estimator', 'gpu-mrmp'];
  const { status, stderr } = await runCli(args, alone);
  expect(status).toBe(1);
  expect(stderr).toMatch(/^mpegpu: gpu-mrmp: no usable GPU: .*\n$/);
});

it.runIf(working !== undefined)(
  'a GPU searches in a thread without a word of the broken driver beside it',
  async () => {
    // Of a small range there are fewer shaders to compile.
    const range = ['--range', '8x8'];
    const args = ['encode', 'in.y4m', '-o', 'beside.mpg', '--estimator', 'gpu-mrmp', '--threads', '2', '--json'];
    const { status, stdout, stderr } = await runCli([...args, ...range], beside);
    expect([status, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout.toString()).device).toMatch(/WebGPU/);
    await encodeJson(['in.y4m', '-o', 'twin.mpg', '--estimator', 'cpu-mrmp', ...range], { cwd: folder });
    expect(readFileSync(join(folder, 'beside.mpg')).equals(readFileSync(join(folder, 'twin.mpg')))).toBe(true);
  },
);
