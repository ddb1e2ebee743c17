// Measures the largest resident memory of a whole `mpegpu encode` of a generated 1920x1080 sequence.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { RESULTS, sampleAsY4m } from './clips.mjs';
import { describeMachine, machineLine } from './machine.mjs';
import { median } from './median.mjs';
import { runEncode, words } from './processes.mjs';
import { fixed, table } from './table.mjs';

const USAGE = `usage: node bench/peak-memory.mjs [--frames 64] [--size 1920x1080] [--threads 1,auto] [--rounds 1]
         [--args "encode options"] [--json]
`;

const REPORTER = new URL('./report-usage.mjs', import.meta.url).href;

/** What is measured by default: one thread, and as many threads as mpegpu uses by default. */
export const PEAK_MEMORY_DEFAULTS = {
  width: 1920,
  height: 1080,
  frames: 64,
  threads: ['1', 'auto'],
  rounds: 1,
  args: [],
};

/** Options of which an encode has one; q 4 by default. */
const MODES = ['--q', '--quality', '--bitrate', '--target'];

/** Rows of `{ command, frames, peakMiB, fps }`: the medians of the rounds. */
export async function measurePeakMemory({ width, height, frames, threads, rounds, args }) {
  const scratch = join(RESULTS, `peak-memory-${process.pid}`);
  mkdirSync(scratch, { recursive: true });
  try {
    const y4m = await sampleAsY4m({ kind: 'pan-subpel', width, height, frames, seed: 1 });
    const rows = [];
    for (const count of threads) {
      const mode = args.some(arg => MODES.includes(arg.split('=')[0])) ? [] : ['--q', '4'];
      const command = [...mode, '--gop', '12', ...(count === 'auto' ? [] : ['--threads', count]), ...args];
      const usageFile = join(scratch, 'usage');
      const env = { ...process.env, MPEGPU_BENCH_USAGE_FILE: usageFile };
      const runs = [];
      for (let round = 0; round < rounds; round++) {
        const report = await runEncode(y4m, join(scratch, 'out.m1v'), command, ['--import', REPORTER], env);
        const peakMiB = JSON.parse(readFileSync(usageFile, 'utf8')).peakBytes / 2 ** 20;
        runs.push({ peakMiB, fps: frames / report.seconds });
      }
      const middle = key => median(runs.map(run => run[key]));
      rows.push({ command: command.join(' '), frames, peakMiB: middle('peakMiB'), fps: middle('fps'), runs });
    }
    return rows;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The rows as a table. */
export function peakMemoryTable(rows) {
  const body = rows.map(row => [row.command, row.frames, fixed(row.peakMiB, 0), fixed(row.fps, 1)]);
  return table(['mpegpu encode', 'frames', 'peak MiB', 'frames/s'], body);
}

async function main() {
  const { values } = parseArgs({
    options: {
      frames: { type: 'string' },
      size: { type: 'string', default: '1920x1080' },
      threads: { type: 'string' },
      rounds: { type: 'string' },
      args: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const [width, height] = values.size.split('x').map(Number);
  const { frames, threads, rounds } = PEAK_MEMORY_DEFAULTS;
  const sequence = { width, height, frames: Number(values.frames ?? frames) };
  const machine = describeMachine();
  const rows = await measurePeakMemory({
    ...sequence,
    threads: values.threads?.split(',') ?? threads,
    rounds: Number(values.rounds ?? rounds),
    args: words(values.args),
  });
  const report = { machine, width, height, rows };
  writeFileSync(join(RESULTS, 'peak-memory.json'), `${JSON.stringify(report, null, 2)}\n`);
  process.stdout.write(
    values.json ? `${JSON.stringify(report)}\n` : `${machineLine(machine)}\n\n${peakMemoryTable(rows)}\n`,
  );
}

if (process.argv[1] === import.meta.filename) await main();
