// The GPU of the tests that sorts.test.ts joins.
import { shareGpu } from '../test-gpu.js';

/** Its devices are compiled for once. */
export const shared = shareGpu();
