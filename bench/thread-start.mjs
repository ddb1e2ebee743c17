// Measures what the start of a thread costs: processor time until its entry is loaded, beside that of a bare thread.
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { describeMachine, machineLine } from './machine.mjs';
import { median } from './median.mjs';
import { fixed, table } from './table.mjs';

const USAGE = `usage: node bench/thread-start.mjs [--runs 31] [--package dist/package]
`;

const ENTRIES = ['coder-worker.js', 'estimator-worker.js', 'lookahead-worker.js', 'analysis-worker.js'];

/** Processor time of the process, in milliseconds. */
function processorMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Starts a thread that loads the module at `url`, if one is given, and ends; returns what that took. */
async function startMs(url) {
  const before = processorMs();
  // An entry without the data that it is made for throws when it is loaded: that ends the thread as well.
  const code = url ? `import(${JSON.stringify(url)}).catch(() => {}).finally(() => process.exit())` : 'process.exit()';
  await once(new Worker(code, { eval: true, workerData: {} }), 'exit');
  return processorMs() - before;
}

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '31' },
    package: { type: 'string', default: join('dist', 'package') },
    help: { type: 'boolean', short: 'h' },
  },
});
if (values.help) {
  process.stdout.write(USAGE);
} else {
  const urls = [undefined, ...ENTRIES.map(name => pathToFileURL(join(values.package, name)).href)];
  const times = urls.map(() => []);
  // In turn, so that all meet the same load.
  for (let run = 0; run < Number(values.runs); run++) {
    for (const [index, url] of urls.entries()) times[index].push(await startMs(url));
  }
  const [bare, ...loaded] = times.map(median);
  const rows = loaded.map((ms, index) => [ENTRIES[index], fixed(ms, 1), fixed(ms - bare, 1), fixed(ms / bare, 2)]);
  rows.unshift(['a bare thread', fixed(bare, 1), '', '']);
  process.stdout.write(`${machineLine(describeMachine())}\n\n`);
  process.stdout.write(`${table(['thread', 'processor ms', 'more than bare', 'times'], rows)}\n`);
}
