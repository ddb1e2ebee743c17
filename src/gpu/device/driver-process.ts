// Entry of a short process that asks the graphics drivers: what they print reaches only the one who started it.
import { describeAdapters } from './adapters.js';
import { FIRST_ONLY } from './driver-answer.js';

const report = await describeAdapters(undefined, process.argv[2] === FIRST_ONLY);
process.send?.(report, () => process.disconnect());
