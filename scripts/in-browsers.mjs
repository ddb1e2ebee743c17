// Files of Node, and those that take their places in what browsers load.
export const IN_BROWSERS = {
  'src/threads/node/start-thread.ts': 'src/threads/web/start-thread.ts',
  'src/gpu/device/machine-gpu.ts': 'src/gpu/device/page-gpu.ts',
  'src/gpu/filter/gpu-filter.ts': 'src/gpu/filter/no-filter.ts',
  'src/motion/threads/early-drivers.ts': 'src/motion/threads/no-drivers.ts',
  'src/encoder/coders/filtering-ahead.ts': 'src/encoder/coders/no-filtering.ts',
  'src/kernels/load-reference-kernels.ts': 'src/kernels/fetched-reference-kernels.ts',
  'src/kernels/simd-binary.ts': 'src/kernels/fetched-simd-module.ts',
};
