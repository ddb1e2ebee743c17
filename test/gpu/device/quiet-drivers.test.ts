// Which environment variables keep the drivers quiet, and in which order they are tried.
import { expect, it } from 'vitest';
import type { Variables } from '../../../src/gpu/device/driver-answer.js';
import { driverFiles } from '../../../src/gpu/device/driver-files.js';
import { findQuietWay, withVariables } from '../../../src/gpu/device/quiet-drivers.js';

const CALM = { XDG_RUNTIME_DIR: '/nonexistent', MESA_LOG_FILE: '/dev/null' };
const HOST = { env: { VK_DRIVER_FILES: '/x/lvp.json:/x/other.json:/x/nvidia.json' } };
const only = (file: string) => ({ ...CALM, VK_DRIVER_FILES: file, VK_ICD_FILENAMES: file });

/** A machine with an NVIDIA GPU; `say` is what its drivers print. Also keeps the variables that were tried. */
function machine(say: (variables: Variables) => readonly string[]) {
  const tried: Variables[] = [];
  const ask = async (variables: Variables = {}) => {
    tried.push(variables);
    const file = variables.VK_DRIVER_FILES ?? 'all';
    const name = /all|nvidia/.test(file) ? 'H200' : 'something else';
    const adapter = { name, vendor: 'nvidia', architecture: '', device: '', description: '' };
    return {
      report: { adapters: [{ ...adapter, software: false, features: [], limits: {} }] },
      messages: say(variables),
    };
  };
  return { tried, ask };
}

it('asks once where the drivers are quiet', async () => {
  const { tried, ask } = machine(() => []);
  const { report, variables } = await findQuietWay(() => true, ask, HOST);
  expect(report?.adapters[0]?.name).toBe('H200');
  expect([variables, tried]).toEqual([CALM, [CALM]]);
});

it('leaves what the user has set', async () => {
  const { ask } = machine(() => []);
  const env = { XDG_RUNTIME_DIR: '/run/user/0', MESA_LOG_FILE: 'mesa.txt' };
  expect((await findQuietWay(() => true, ask, { env })).variables).toEqual({});
});

it('loads the driver of the GPU alone where another one prints', async () => {
  const { tried, ask } = machine(({ VK_DRIVER_FILES: file = 'lvp' }) => (file.includes('lvp') ? ['Warning'] : []));
  const { variables } = await findQuietWay(() => true, ask, HOST);
  expect(variables).toEqual(only('/x/nvidia.json'));
  expect(tried).toEqual([CALM, only('/x/nvidia.json')]); // the likely file before the others
});

it('takes the fewest lines where the driver itself prints', async () => {
  const { tried, ask } = machine(({ VK_DRIVER_FILES: file }) => (file ? ['own'] : ['own', "another's"]));
  const { variables } = await findQuietWay(() => true, ask, HOST);
  expect(variables).toEqual(only('/x/nvidia.json'));
  expect(tried.length).toBe(4);
});

it('asks once where the GPU is not wanted', async () => {
  const { tried, ask } = machine(() => ['Warning']);
  await findQuietWay(() => false, ask, HOST);
  expect(tried).toEqual([CALM]);
});

it('goes on where no process can be asked', async () => {
  expect(
    await findQuietWay(
      () => true,
      async () => undefined,
      HOST,
    ),
  ).toEqual({ variables: CALM });
});

it('lists the driver files as the Vulkan loader does', () => {
  const folders: Record<string, string[]> = {
    '/etc/vulkan/icd.d': ['nvidia_icd.json', 'nvidia_icd.json.bak'],
    '/usr/share/vulkan/icd.d': ['lvp_icd.json', 'radeon_icd.json'],
  };
  const readdirSync = (folder: string) => {
    if (!folders[folder]) throw new Error(`no ${folder}`);
    return folders[folder];
  };
  const env = { HOME: '/home/me', VK_ADD_DRIVER_FILES: '/more.json' };
  expect(driverFiles({ env, getBuiltinModule: () => ({ readdirSync }) }, 'amd')).toEqual([
    '/usr/share/vulkan/icd.d/radeon_icd.json',
    '/etc/vulkan/icd.d/nvidia_icd.json',
    '/usr/share/vulkan/icd.d/lvp_icd.json',
    '/more.json',
  ]);
  expect(driverFiles({ env: { ...env, VK_ICD_FILENAMES: '/a.json:/b.json' } }, '')).toEqual(['/a.json', '/b.json']);
});

it('variables are set while the drivers are loaded, and then as they were', () => {
  process.env.MPEGPU_TEST_OLD = 'old';
  const seen = withVariables({ MPEGPU_TEST_OLD: 'new', MPEGPU_TEST_NEW: 'new' }, () => [
    process.env.MPEGPU_TEST_OLD,
    process.env.MPEGPU_TEST_NEW,
  ]);
  expect(seen).toEqual(['new', 'new']);
  expect([process.env.MPEGPU_TEST_OLD, process.env.MPEGPU_TEST_NEW]).toEqual(['old', undefined]);
  delete process.env.MPEGPU_TEST_OLD;
});
