// The GPU of the tests that encodes.test.ts joins.
import { shareGpu } from './test-gpu.js';

/** Its devices are compiled for once, but cannot be lost. */
export const shared = shareGpu();
