// How vitest runs the tests.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Vitest would leave a core free, and of two that is half.
    maxWorkers: '100%',
  },
});
