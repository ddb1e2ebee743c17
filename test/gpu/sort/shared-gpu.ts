// The GPU of the tests of this folder.
import { shareGpu } from '../test-gpu.js';

/** Its devices are compiled for once. */
export const shared = shareGpu();
