// Measures how many pictures a second the lookahead plans: pictures are in memory and nothing is coded. Needs a build.
// Plans pictures that pan back and forth, with the estimator, the number of threads and the size asked for; the first
// 60 pictures are not measured. Prints one line a size, or with --json one object: pictures a second, and for a picture
// the time that passes, the time that the asking thread is busy, the processor time of all threads and the time in
// which something is searched.
//
//     node bench/lookahead.mjs [--input FILE.y4m | --size 640x480,1920x1080] [--estimator NAME] [--threads 2]
//                              [--pictures 600] [--rounds 3] [--bitrate N] [--json] [--by-thread]
//
// --by-thread (Linux) also prints what each thread takes for a picture: its processor time, and how much of it are
// polls of a GPU (see thread-times.mjs).
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createSharedPictures } from '../dist/encoder/coders/shared-pictures.js';
import { SourcePictures } from '../dist/encoder/gop/source-pictures.js';
import { createLookahead } from '../dist/encoder/lookahead/create-lookahead.js';
import { picturesAhead } from '../dist/encoder/settings/pictures-ahead.js';
import { resolveOptions } from '../dist/encoder/settings/resolve-options.js';
import { compiledKernels } from '../dist/kernels/select-kernels.js';
import { pictureBytes, pictureOnBuffer } from '../dist/picture/picture.js';
import { panningClip, readClip } from './luma-clips.mjs';
import { describeMachine, machineLine } from './machine.mjs';
import { median } from './median.mjs';
import { fixed, table } from './table.mjs';

const { values: options } = parseArgs({
  options: {
    input: { type: 'string' },
    size: { type: 'string', default: '640x480,1920x1080' },
    estimator: { type: 'string', default: 'cpu-predictive' },
    threads: { type: 'string', default: '2' },
    pictures: { type: 'string', default: '600' },
    rounds: { type: 'string', default: '3' },
    bitrate: { type: 'string' },
    json: { type: 'boolean', default: false },
    'by-thread': { type: 'boolean', default: false },
  },
});
const IS_TIMED = process.env.MPEGPU_BENCH_TIMED === '1';
if (options['by-thread'] && !IS_TIMED) {
  const args = ['--import', new URL('thread-times.mjs', import.meta.url).href, fileURLToPath(import.meta.url)];
  const env = { ...process.env, MPEGPU_BENCH_TIMED: '1' };
  process.exit(spawnSync(process.execPath, [...args, ...process.argv.slice(2)], { stdio: 'inherit', env }).status);
}
const threadTimes = IS_TIMED ? (await import('./thread-times.mjs')).threadTimes : () => [];
const WARM_UP_PICTURES = 60;
/** Pictures that are generated or read; they are shown forward and backward, again and again. */
const DIFFERENT_PICTURES = 24;

/** Plans all pictures of a clip once: pictures a second, and what one picture takes. */
async function plan({ width, height, planes }) {
  const { shown, settings } = await placed(
    planes,
    resolveOptions({
      width,
      height,
      frameRate: 25,
      threads: Number(options.threads),
      estimator: options.estimator,
      ...(options.bitrate ? { bitrate: Number(options.bitrate) } : {}),
    }),
  );
  const warnings = [];
  const { planner, motion } = await createLookahead(settings, { onWarning: message => warnings.push(message) });
  await motion.ready();
  const count = WARM_UP_PICTURES + Number(options.pictures);
  const asked = [];
  let startMs = 0;
  let before = motion.work;
  let load = performance.eventLoopUtilization();
  let cpu = process.cpuUsage();
  let times = threadTimes();
  for (let id = 0; id < count; id++) {
    await asked[id - picturesAhead(settings)];
    if (id === WARM_UP_PICTURES) {
      startMs = performance.now();
      before = motion.work;
      load = performance.eventLoopUtilization();
      cpu = process.cpuUsage();
      times = threadTimes();
    }
    const { buffer, first } = shown[id % shown.length];
    asked.push(planner.plan(pictureOnBuffer(id, settings.grid, buffer, first), id));
  }
  await Promise.all([...asked, planner.end()]);
  const ms = (performance.now() - startMs) / (count - WARM_UP_PICTURES);
  const { user, system } = process.cpuUsage(cpu);
  const { active } = performance.eventLoopUtilization(load);
  const { busyMs, pictures } = motion.work;
  const { device } = motion.estimator;
  const threads = since(times);
  await motion.close();
  const perPicture = value => value / (count - WARM_UP_PICTURES);
  return {
    device,
    picturesPerSecond: 1000 / ms,
    msPerPicture: ms,
    askerMsPerPicture: perPicture(active),
    cpuMsPerPicture: perPicture((user + system) / 1000),
    searchMsPerPicture: perPicture(busyMs - before.busyMs),
    fieldsPerPicture: perPicture(pictures - before.pictures),
    threads: threads.map(({ name, cpuMs, pollingMs }) => ({
      name,
      cpuMsPerPicture: perPicture(cpuMs),
      pollingMsPerPicture: perPicture(pollingMs),
    })),
    warnings,
  };
}

/**
 * The pictures as an encode holds them, forward and then backward: in the memory that all threads share, where there
 * are several. Each has its own place, so that no two that are looked at together lie in the same one.
 */
async function placed(planes, settings) {
  const sources = new SourcePictures(settings.grid, true);
  const shared = createSharedPictures(settings, sources);
  const shown = [...planes, ...planes.toReversed()].map(plane => {
    const place = sources.free.pop() ?? { buffer: new SharedArrayBuffer(pictureBytes(settings.grid)), first: 0 };
    new Uint8Array(place.buffer, place.first).set(plane);
    return place;
  });
  return { shown, settings: { ...settings, kernels: await compiledKernels(settings.kernels, shared?.room) } };
}

/** What each thread has taken since `before`. */
function since(before) {
  return threadTimes().map(({ thread, name, cpuMs, pollingMs }) => {
    const first = before.find(other => other.thread === thread) ?? { cpuMs: 0, pollingMs: 0 };
    return { name, cpuMs: cpuMs - first.cpuMs, pollingMs: pollingMs - first.pollingMs };
  });
}

/** The medians of what each thread has taken; threads of the same name in the order in which they were started. */
function middleOfThreads(runs) {
  return runs[0].threads.map(({ name }, index) => {
    const middle = key => median(runs.map(({ threads }) => threads[index]?.[key] ?? 0));
    return { name, cpuMsPerPicture: middle('cpuMsPerPicture'), pollingMsPerPicture: middle('pollingMsPerPicture') };
  });
}

const clips = options.input
  ? [readClip(options.input, undefined, DIFFERENT_PICTURES)]
  : options.size.split(',').map(size => {
      const [width, height] = size.split('x').map(Number);
      return { name: size, width, height, planes: panningClip(width, height, DIFFERENT_PICTURES).planes };
    });
const rows = [];
for (const clip of clips) {
  const runs = [];
  for (let round = 0; round < Number(options.rounds); round++) runs.push(await plan(clip));
  const middle = key => median(runs.map(run => run[key]));
  rows.push({
    clip: clip.name,
    size: `${clip.width}x${clip.height}`,
    device: runs[0].device,
    picturesPerSecond: middle('picturesPerSecond'),
    msPerPicture: middle('msPerPicture'),
    askerMsPerPicture: middle('askerMsPerPicture'),
    cpuMsPerPicture: middle('cpuMsPerPicture'),
    searchMsPerPicture: middle('searchMsPerPicture'),
    fieldsPerPicture: middle('fieldsPerPicture'),
    threads: middleOfThreads(runs),
    warnings: [...new Set(runs.flatMap(({ warnings }) => warnings))],
  });
}
const machine = describeMachine();
if (options.json) {
  console.log(JSON.stringify({ machine, options, rows }));
} else {
  console.log(machineLine(machine));
  console.log(
    table(
      ['clip', 'device', 'pictures/s', 'ms/picture', 'asker ms', 'CPU ms', 'search ms', 'fields/picture'],
      rows.map(row => [
        row.clip,
        row.device,
        fixed(row.picturesPerSecond, 0),
        fixed(row.msPerPicture, 2),
        fixed(row.askerMsPerPicture, 3),
        fixed(row.cpuMsPerPicture, 2),
        fixed(row.searchMsPerPicture, 2),
        fixed(row.fieldsPerPicture, 2),
      ]),
    ),
  );
  if (IS_TIMED) {
    const ofThreads = rows.flatMap(({ clip, threads }) =>
      threads.map(({ name, cpuMsPerPicture, pollingMsPerPicture }) => [
        clip,
        name,
        fixed(cpuMsPerPicture, 3),
        fixed(pollingMsPerPicture, 3),
        fixed(cpuMsPerPicture - pollingMsPerPicture, 3),
      ]),
    );
    console.log(`\n${table(['clip', 'thread', 'CPU ms/picture', 'polls', 'without'], ofThreads)}`);
  }
}
