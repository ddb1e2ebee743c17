// Runs the usual benchmarks, `npm run bench`: motion search, whole encodes against ffmpeg, and peak memory.
// Prints tables, and writes everything to bench/results/bench.json (with --json to stdout). BD-rate takes longer: see
// bench/bd-rate.mjs.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { RESULTS } from './clips.mjs';
import { ENCODE_SPEED_DEFAULTS, encodeSpeedTable, measureEncodeSpeed } from './encode-speed.mjs';
import { describeMachine, machineLine } from './machine.mjs';
import { measurePeakMemory, PEAK_MEMORY_DEFAULTS, peakMemoryTable } from './peak-memory.mjs';
import { ROOT, run } from './processes.mjs';
import { table } from './table.mjs';

const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } });
const say = values.json ? () => {} : text => process.stdout.write(`${text}\n`);

/** The report of `node bench/search.mjs --json`: an object with flat `rows`. */
async function measureSearch() {
  const { stdout } = await run(process.execPath, [join(ROOT, 'bench', 'search.mjs'), '--json']);
  return JSON.parse(stdout.toString()).rows;
}

function flatTable(rows) {
  const header = [...new Set(rows.flatMap(row => Object.keys(row)))];
  const text = value => (typeof value === 'number' ? Number(value.toPrecision(5)) : (value ?? ''));
  return table(
    header,
    rows.map(row => header.map(key => text(row[key]))),
  );
}

mkdirSync(RESULTS, { recursive: true });
const machine = describeMachine();
say(`${machineLine(machine)}\n\nMotion search`);
const search = await measureSearch();
say(`${flatTable(search)}\n\nWhole encode, 640x480, one thread, against ffmpeg ${machine.ffmpeg}`);
const encodeSpeed = await measureEncodeSpeed(ENCODE_SPEED_DEFAULTS);
say(`${encodeSpeedTable(encodeSpeed)}\n\nPeak memory, 1920x1080`);
const peakMemory = await measurePeakMemory(PEAK_MEMORY_DEFAULTS);
say(peakMemoryTable(peakMemory));
const report = { machine, search, encodeSpeed, peakMemory };
writeFileSync(join(RESULTS, 'bench.json'), `${JSON.stringify(report, null, 2)}\n`);
if (values.json) process.stdout.write(`${JSON.stringify(report)}\n`);
