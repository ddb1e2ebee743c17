import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest files, which are to start first: otherwise the largest do, and one core is left with a slow one at the end. */
const SLOWEST = ['encoder/conformance', 'gpu/gpu-full', 'gpu/equality', 'gpu/gpu-mrmp', 'compare/report-page'];

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files);
    const slowest = SLOWEST.flatMap(name => others.filter(({ moduleId }) => moduleId.endsWith(`${name}.test.ts`)));
    return [...new Set([...slowest, ...others])];
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Vitest would leave a core free, and of two that is half.
    maxWorkers: '100%',
    sequence: { sequencer: SlowestFirst },
  },
});
