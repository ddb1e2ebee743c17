// `mpegpu devices` as a program.
import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { runCli, runCliHere } from '../run-cli.js';

const setting = { cwd: tmpdir(), softwareGpu: true };

it('devices says what there is', async () => {
  const { status, stdout } = await runCli(['devices'], setting);
  expect(status).toBe(0);
  const text = stdout.toString();
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

it('devices --json is one object; a software adapter is never what auto picks', async () => {
  const { status, stdout } = await runCli(['devices', '--json'], setting);
  expect(status).toBe(0);
  const { cpu, kernels, ffmpeg, gpu, auto } = JSON.parse(stdout.toString());
  expect(cpu.threads).toBeGreaterThan(0);
  expect(kernels).toEqual({ simd: true, used: 'simd' });
  expect(ffmpeg.version).toMatch(/^ffmpeg version/);
  expect(ffmpeg.from).toMatch(/^(PATH|npm)$/);
  expect(ffmpeg.year).toBeGreaterThan(2017);
  const real = gpu.adapters.filter((adapter: { software: boolean }) => !adapter.software);
  expect(auto.estimator).toBe(real.length > 0 ? 'gpu-mrmp' : 'cpu-predictive');
  if (real.length === 0) expect(gpu.reason).not.toBe('');
});

it.each([
  [['--help'], runCliHere],
  [['--version'], runCli],
  [['encode', '--help'], runCliHere],
])('mpegpu %j succeeds', async (args, run) => {
  const { status, stdout, stderr } = await run(args, setting);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout.toString()).toMatch(/encode|^\d+\.\d+\.\d+$/m);
});
