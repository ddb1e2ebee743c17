// Compares the speed of two builds of the encoder on one thread: the one in dist/ and an older one.
// Both encode the same pictures in turn, in one process that runs warm, so that the machine's moods meet both alike.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { clipAsY4m, listClips, pingPongAsY4m, readY4m, SEQUENCES } from './clips.mjs';
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

/** Encodes frames on one thread; returns the CPU time in user mode and a hash of the stream. */
async function encode({ Encoder }, { width, height, fps, frames }, preset) {
  const hash = createHash('sha256');
  const startUsage = process.cpuUsage();
  const encoder = new Encoder({
    width,
    height,
    frameRate: fps,
    q: Number(values.q),
    preset,
    threads: 1,
    estimator: 'cpu-predictive',
  });
  const written = (async () => {
    for await (const unit of encoder) hash.update(unit.data);
  })();
  for (const frame of frames) await encoder.add(frame);
  await encoder.finish();
  await written;
  return { seconds: process.cpuUsage(startUsage).user / 1e6, hash: hash.digest('hex') };
}

/** The pictures to encode: a CIF clip as it is, a larger one scaled to 640x480. */
async function loadClip(name, frames) {
  const [clip] = listClips(SEQUENCES, [name]);
  const isCif = name.includes('cif');
  const y4m = isCif ? await clipAsY4m(clip, frames) : await pingPongAsY4m(clip, { width: 640, height: 480, frames });
  return readY4m(y4m);
}

const builds = await Promise.all(
  [resolve(values.base), ROOT].map(folder => import(pathToFileURL(join(folder, 'dist', 'index.js')).href)),
);
const rows = [];
for (const name of values.clips.split(',')) {
  const clip = await loadClip(name, Number(values.frames));
  for (const preset of values.presets.split(',')) {
    const seconds = [[], []];
    for (let pair = 0; pair <= Number(values.pairs); pair++) {
      const [base, own] = [await encode(builds[0], clip, preset), await encode(builds[1], clip, preset)];
      if (!values['may-differ'] && base.hash !== own.hash)
        throw new Error(`${name}, ${preset}: the two builds write different streams`);
      if (pair === 0) continue; // warms up
      seconds[0].push(base.seconds);
      seconds[1].push(own.seconds);
    }
    const ratios = seconds[0].map((base, i) => base / seconds[1][i]);
    const perSecond = times => fixed(clip.frames.length / median(times), 1);
    rows.push([
      `${name} ${clip.width}x${clip.height}`,
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
