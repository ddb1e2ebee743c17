// Entry of a short process that asks the graphics drivers: what they print reaches only the one who started it.
import { describeAdapters } from './adapters.js';
import { FIRST_ONLY } from './driver-answer.js';

const report = await describeAdapters(undefined, process.argv[2] === FIRST_ONLY);
// All is printed: whoever reads it need not wait until the drivers are unloaded.
const module = 'node:fs'; // no literal in import(): bundlers for browsers would look for it
const { closeSync } = (await import(module)) as typeof import('node:fs');
for (const descriptor of [1, 2]) closeSync(descriptor);
process.send?.(report, () => process.disconnect());
