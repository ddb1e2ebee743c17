// Compares the speed of two builds of the encoder on one thread: the one in dist/ and an older one.
// Both encode the same pictures in turn, each in a process that runs warm, so that the machine's moods meet both alike.
// In one process, what one build leaves to V8's other threads would be counted as the other's.
import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { describeMachine, machineLine } from './machine.mjs';
import { median } from './median.mjs';
import { ROOT } from './processes.mjs';
import { fixed, table } from './table.mjs';

const USAGE = `usage: node bench/one-thread.mjs --base FOLDER [--presets fast,balanced,best] [--pairs 9] [--frames 60] [--q 4]
       [--clips foreman_cif_150,city_704x576] [--may-differ]

  --base   a checkout of another revision, built; run all on one processor with taskset -c N
  --clips  of ../shared/sequences; all but CIF ones are scaled to 640x480
  --may-differ  the two builds may write different streams
`;

const { values } = parseArgs({
  options: {
    base: { type: 'string' },
    presets: { type: 'string', default: 'fast,balanced,best' },
    clips: { type: 'string', default: 'foreman_cif_150,city_704x576' },
    pairs: { type: 'string', default: '9' },
    frames: { type: 'string', default: '60' },
    q: { type: 'string', default: '4' },
    'may-differ': { type: 'boolean', default: false },
  },
});
if (values.base === undefined || !existsSync(join(values.base, 'dist', 'index.js'))) {
  process.stderr.write(USAGE);
  process.exit(2);
}

const processes = [resolve(values.base), ROOT].map(folder =>
  fork(join(import.meta.dirname, 'one-build.mjs'), [folder], { execArgv: [] }),
);

/** What the process tells of an encode. Rejects where it ends. */
function encode(child, job) {
  return new Promise((resolve, reject) => {
    const onExit = code => reject(new Error(`a build's process has ended with code ${code}`));
    child.once('exit', onExit);
    child.once('message', told => {
      child.off('exit', onExit);
      resolve(told);
    });
    child.send(job);
  });
}

const rows = [];
for (const name of values.clips.split(',')) {
  for (const preset of values.presets.split(',')) {
    const job = { name, count: Number(values.frames), q: Number(values.q), preset };
    const seconds = [[], []];
    let clip = {};
    for (let pair = 0; pair <= Number(values.pairs); pair++) {
      const [base, own] = [await encode(processes[0], job), await encode(processes[1], job)];
      if (!values['may-differ'] && base.hash !== own.hash)
        throw new Error(`${name}, ${preset}: the two builds write different streams`);
      clip = own;
      if (pair === 0) continue; // warms up
      seconds[0].push(base.seconds);
      seconds[1].push(own.seconds);
    }
    const ratios = seconds[0].map((base, i) => base / seconds[1][i]);
    const perSecond = times => fixed(clip.pictures / median(times), 1);
    rows.push([
      `${name} ${clip.size}`,
      preset,
      ...seconds.map(perSecond),
      fixed(median(ratios), 3),
      `${fixed(Math.min(...ratios), 2)} to ${fixed(Math.max(...ratios), 2)}`,
    ]);
    process.stderr.write(`${rows.at(-1).join('  ')}\n`);
  }
}
const header = ['clip', 'preset', 'before, pictures/s', 'after, pictures/s', 'times as fast', 'range'];
process.stdout.write(`${machineLine(describeMachine())}\n\n${table(header, rows)}\n`);
for (const child of processes) child.disconnect();
