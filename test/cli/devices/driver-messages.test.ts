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
const withDrivers = (...files: string[]) => ({ cwd: folder, env: { VK_DRIVER_FILES: files.join(':') } });
const LINE = /Warning: .*no-such-driver/;

beforeAll(async () => {
  const library = join(folder, 'no-such-driver.so');
  const manifest = { file_format_version: '1.0.0', ICD: { library_path: library, api_version: '1.1.0' } };
  writeFileSync(broken, JSON.stringify(manifest));
  const frames = generateSample({ kind: 'pan', width: 48, height: 32, frames: 4, seed: 5 });
  await writeY4m(join(folder, 'in.y4m'), frames, 25, () => {});
});

it('devices keeps the lines, and names what is missing; --verbose prints them', async () => {
  const { cwd, env } = withDrivers(broken);
  const usual = await runCli(['devices'], { cwd, env: { ...env, FFMPEG_PATH: '/nowhere/ffmpeg' } });
  expect([usual.status, usual.stderr]).toEqual([0, '']);
  expect(usual.stdout.toString()).not.toMatch(LINE);
  expect(usual.stdout.toString()).toMatch(/^ffmpeg {3}none: FFMPEG_PATH is \/nowhere\/ffmpeg/m);
  const verbose = await runCli(['devices', '--verbose'], withDrivers(broken));
  expect([verbose.status, verbose.stderr]).toEqual([0, '']);
  expect(verbose.stdout.toString()).toMatch(/^drivers {2}\S/m);
  expect(verbose.stdout.toString()).toMatch(LINE);
});

it('devices --json has them with --verbose only', async () => {
  const usual = await runCli(['devices', '--json'], withDrivers(broken));
  expect(JSON.parse(usual.stdout.toString())).not.toHaveProperty('driverMessages');
  const verbose = await runCli(['devices', '--json', '--verbose'], withDrivers(broken));
  expect([verbose.status, verbose.stderr]).toEqual([0, '']);
  expect(JSON.parse(verbose.stdout.toString()).driverMessages.join('\n')).toMatch(LINE);
});

it('encode --estimator auto prints none of them', async () => {
  const args = ['encode', 'in.y4m', '-o', 'auto.mpg', '--estimator', 'auto'];
  const { status, stderr } = await runCli(args, withDrivers(broken));
  expect([status, stderr]).toEqual([0, '']);
});

it('with --quiet neither, and it passes over a software GPU', async () => {
  const args = ['encode', 'in.y4m', '-o', 'quiet.mpg', '--estimator', 'auto', '--quiet', '--json'];
  const { status, stdout, stderr } = await runCli(args, withDrivers(broken, ...(working ? [working] : [])));
  expect([status, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout.toString()).device).not.toMatch(/swiftshader/i);
});

it('encode --estimator gpu-mrmp prints its own error alone', async () => {
  const args = ['encode', 'in.y4m', '-o', 'gpu.mpg', '--estimator', 'gpu-mrmp'];
  const { status, stderr } = await runCli(args, withDrivers(broken));
  expect(status).toBe(1);
  expect(stderr).toMatch(/^mpegpu: gpu-mrmp: no usable GPU: .*\n$/);
});

it.runIf(working !== undefined)(
  'a GPU searches in a thread without a word of the broken driver beside it',
  async () => {
    // Of a small range there are fewer shaders to compile.
    const range = ['--range', '8x8'];
    const args = ['encode', 'in.y4m', '-o', 'beside.mpg', '--estimator', 'gpu-mrmp', '--threads', '2', '--json'];
    const { status, stdout, stderr } = await runCli([...args, ...range], withDrivers(broken, working!));
    expect([status, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout.toString()).device).toMatch(/WebGPU/);
    await encodeJson(['in.y4m', '-o', 'twin.mpg', '--estimator', 'cpu-mrmp', ...range], { cwd: folder });
    expect(readFileSync(join(folder, 'beside.mpg')).equals(readFileSync(join(folder, 'twin.mpg')))).toBe(true);
  },
);
