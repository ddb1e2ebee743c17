// Entry of a short process that asks the graphics drivers: what they print reaches only the one who started it.
import { describeAdapters } from './adapters.js';

const report = await describeAdapters();
process.send?.(report, () => process.disconnect());
