// Machines that surely have no GPU are told by their files.
import { expect, it } from 'vitest';
import { type HostProcess, surelyHasNoGpu } from '../../../src/gpu/device/device-files.js';

const linux = (paths: readonly string[], env = {}): HostProcess => ({
  platform: 'linux',
  env,
  getBuiltinModule: () => ({ existsSync: path => paths.includes(path) }),
});

it.each<[string, HostProcess | undefined, boolean]>([
  ['Linux without a graphics device', linux(['/dev/null']), true],
  ['Linux with a DRM device', linux(['/dev/dri']), false],
  ['Linux with an NVIDIA device in a container', linux(['/dev/nvidiactl']), false],
  ['Linux under Windows', linux(['/dev/dxg']), false],
  ['a driver chosen by hand', linux([], { VK_ICD_FILENAMES: 'swiftshader.json' }), false],
  ['Node that gives no modules', { platform: 'linux', env: {} }, false],
  ['another system', { ...linux([]), platform: 'win32' }, false],
])('%s', (_, host, hasNone) => expect(surelyHasNoGpu(host)).toBe(hasNone));

it('a browser, which has no process', () => {
  const { process } = globalThis;
  Reflect.deleteProperty(globalThis, 'process');
  try {
    expect(surelyHasNoGpu()).toBe(false);
  } finally {
    globalThis.process = process;
  }
});
