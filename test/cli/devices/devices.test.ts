// `mpegpu devices` as a program.
import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { runCli, runCliHere } from '../run-cli.js';

const setting = { cwd: tmpdir(), softwareGpu: true };

it.each([
  [['--help'], runCliHere],
  [['--version'], runCli],
  [['encode', '--help'], runCliHere],
])('mpegpu %j succeeds', async (args, run) => {
  const { status, stdout, stderr } = await run(args, setting);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout.toString()).toMatch(/encode|^\d+\.\d+\.\d+$/m);
});
