// Files of Node, and those that take their places in what browsers load.
export const IN_BROWSERS = {
  'src/threads/node/start-thread.ts': 'src/threads/web/start-thread.ts',
  'src/gpu/device/dawn.ts': 'src/gpu/device/no-dawn.ts',
  'src/gpu/device/device-files.ts': 'src/gpu/device/browser-device-files.ts',
  'src/gpu/device/quiet-drivers.ts': 'src/gpu/device/browser-drivers.ts',
  'src/kernels/load-reference-kernels.ts': 'src/kernels/fetched-reference-kernels.ts',
  'src/kernels/simd-binary.ts': 'src/kernels/fetched-binary.ts',
};
