// Sets speed against compression: every preset of mpegpu, and eight settings of ffmpeg's mpeg1video.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { bdRate } from '../dist/compare/quality/bd-rate.js';
import { SequenceQuality } from '../dist/compare/quality/sequence-quality.js';
import { PRESET_NAMES } from '../dist/encoder/settings/presets.js';
import {
  cached,
  clipAsY4m,
  decode,
  fileIdentity,
  listClips,
  pingPongAsY4m,
  RESULTS,
  readY4m,
  SEQUENCES,
} from './clips.mjs';
import { describeMachine, machineLine } from './machine.mjs';
import { median } from './median.mjs';
import { ffmpegVersion, ROOT, runEncode, runFfmpeg, words } from './processes.mjs';
import { fixed, table } from './table.mjs';

const USAGE = `usage: node bench/pareto.mjs [folder] [--clips a,b] [--frames 30] [--qs 2,4,8,14] [--speed-frames 240] [--runs 3]
       [--threads 1,N] [--args="--estimator NAME"] [--svg FILE] [--json] [--only-speeds | --speeds FILE]

  folder          video files and folders of images for the BD-rate; default ../shared/sequences
  --frames        pictures of a clip for the BD-rate
  --speed-frames  pictures of city_704x576, scaled to 640x480, for the speed
  --runs          the median of so many counts; all settings run in turn, those that take long once
  --threads       numbers of threads; default 1 and the number of cores
  --args          more options of mpegpu encode
  --svg           where the drawing goes; default docs/images/pareto.svg
  --only-speeds   measures no BD-rates, prints JSON and draws nothing: for another machine
  --speeds        a file of that JSON, in place of measuring speeds: BD-rates are the same on any machine
`;

/** The settings of ffmpeg, besides `-q:v Q -g 12`, roughly fastest first. The first is the anchor of the BD-rate. */
const PEERS = [
  ['-bf', '0'],
  ['-bf', '2'],
  ['-bf', '0', '-mbd', 'rd'],
  ['-bf', '2', '-mbd', 'rd'],
  ['-bf', '2', '-trellis', '2'],
  ['-bf', '2', '-mbd', 'rd', '-trellis', '2'],
  ['-bf', '2', '-mbd', 'rd', '-trellis', '2', '-cmp', '2', '-subcmp', '2'],
  words(
    '-bf 2 -mbd rd -trellis 2 -cmp 2 -subcmp 2 -mpv_flags +mv0+cbp_rd+skip_rd -b_strategy 2 -dia_size 4 -pre_dia_size 4',
  ),
];
const DEFAULT_CLIPS = 'basketballpass_416x240,city_704x576,foreman_cif_150,mobile_cif';
const SPEED_CLIP = 'city_704x576';
const SPEED_Q = 4;
/** A run of a setting that takes longer is the only one. */
const LONG_RUN_SECONDS = 10;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    clips: { type: 'string', default: DEFAULT_CLIPS },
    frames: { type: 'string', default: '30' },
    qs: { type: 'string', default: '2,4,8,14' },
    'speed-frames': { type: 'string', default: '240' },
    runs: { type: 'string', default: '3' },
    threads: { type: 'string', default: [...new Set([1, availableParallelism()])].join(',') },
    args: { type: 'string', default: '' },
    svg: { type: 'string', default: join(ROOT, 'docs', 'images', 'pareto.svg') },
    json: { type: 'boolean', default: false },
    'only-speeds': { type: 'boolean', default: false },
    speeds: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
});
const scratch = join(RESULTS, `pareto-${process.pid}`);
const stream = join(scratch, 'stream.m1v');

/** Every program, setting and number of threads. */
function contenders() {
  return values.threads.split(',').flatMap(count => {
    const threads = Number(count);
    const ours = PRESET_NAMES.map(name => ({
      program: 'mpegpu',
      name,
      threads,
      args: ['--preset', name, ...words(values.args)],
    }));
    const theirs = PEERS.map((args, i) => ({
      ...{ program: 'ffmpeg', name: args.join(' '), number: i + 1, threads, args },
    }));
    return [...ours, ...theirs];
  });
}

/** Encodes a y4m file into `stream`. */
function encode({ program, args, threads }, y4m, q) {
  if (program === 'mpegpu') {
    return runEncode(y4m, stream, ['--q', String(q), '--gop', '12', '--threads', String(threads), ...args]);
  }
  const rest = ['-threads', String(threads), '-f', 'mpeg1video', stream];
  return runFfmpeg('-i', y4m, '-c:v', 'mpeg1video', '-q:v', String(q), '-g', '12', ...args, ...rest);
}

/** Bits and PSNR-Y of one encode of a clip; those of ffmpeg are kept. */
async function measurePoint(contender, y4m, original, q) {
  const measure = async () => {
    await encode(contender, y4m, q);
    const decoded = await decode(stream, original.width, original.height);
    const quality = new SequenceQuality();
    original.frames.forEach((frame, i) => {
      quality.add(frame, decoded[i]);
    });
    return { bits: statSync(stream).size * 8, psnrDb: quality.psnr().y };
  };
  if (contender.program === 'mpegpu') return measure();
  const key = JSON.stringify([fileIdentity(y4m), contender.args, contender.threads, q, ffmpegVersion()]);
  return cached(`pareto-${createHash('sha256').update(key).digest('hex').slice(0, 24)}`, measure);
}

/** The mean BD-rate over the clips of each contender against the first setting of ffmpeg on one thread, in %. */
async function measureBdRates(all, clips, qs, frames) {
  const curves = new Map();
  for (const clip of clips) {
    const y4m = await clipAsY4m(clip, frames);
    const original = readY4m(y4m);
    for (const contender of [{ program: 'ffmpeg', args: PEERS[0], threads: 1 }, ...all]) {
      const key = curveKey(contender);
      const ofClips = curves.get(key) ?? new Map();
      curves.set(key, ofClips);
      if (ofClips.has(clip.name)) continue;
      const points = [];
      for (const q of qs) {
        const { bits, psnrDb } = await measurePoint(contender, y4m, original, q);
        points.push({ bits, quality: psnrDb });
      }
      ofClips.set(clip.name, points);
    }
  }
  const anchor = curves.get(curveKey({ program: 'ffmpeg', args: PEERS[0], threads: 1 }));
  return all.map(contender => {
    const rates = clips.map(({ name }) =>
      bdRate(anchor.get(name), curves.get(curveKey(contender)).get(name), qs.length < 4 ? 'pchip' : 'cubic'),
    );
    return rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
  });
}

/** mpegpu's bytes are the same for any number of threads; ffmpeg's are not. */
function curveKey({ program, args, threads }) {
  return [program, program === 'mpegpu' ? '' : threads, ...args].join(' ');
}

/** Pictures a second of the whole process, the median of runs in turn. */
async function measureSpeeds(all, frames, runs) {
  const [clip] = listClips(SEQUENCES, [SPEED_CLIP]);
  const y4m = await pingPongAsY4m(clip, { width: 640, height: 480, frames });
  const seconds = all.map(() => []);
  for (let run = 0; run < runs; run++) {
    for (const [i, contender] of all.entries()) {
      if (seconds[i][0] > LONG_RUN_SECONDS) continue;
      const report = await encode(contender, y4m, SPEED_Q);
      seconds[i].push(report.wallSeconds ?? report.seconds);
    }
  }
  return seconds.map(times => frames / median(times));
}

/** The speeds that `--only-speeds` has printed on another machine. */
function speedsOf(report, all) {
  return all.map(({ program, name, threads }) => {
    const found = report.points.find(
      point => point.program === program && point.name === name && point.threads === threads,
    );
    if (!found) throw new Error(`${values.speeds} has no speed of ${program} ${name} with ${threads} threads`);
    return found.fps;
  });
}

/** Whether another contender with as many threads is as fast and as small, and better in one of the two. */
function isDominated(point, points) {
  return points.some(
    other =>
      other !== point &&
      other.threads === point.threads &&
      other.fps >= point.fps &&
      other.bdRatePercent <= point.bdRatePercent,
  );
}

async function main() {
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  mkdirSync(scratch, { recursive: true });
  const all = contenders();
  const measureAllSpeeds = () => measureSpeeds(all, Number(values['speed-frames']), Number(values.runs));
  if (values['only-speeds']) {
    const speeds = await measureAllSpeeds();
    const points = all.map((contender, i) => ({ ...contender, fps: speeds[i] }));
    process.stdout.write(`${JSON.stringify({ machine: describeMachine(), points })}\n`);
    return;
  }
  const given = values.speeds === undefined ? undefined : JSON.parse(readFileSync(values.speeds, 'utf8'));
  const clips = listClips(resolve(positionals[0] ?? SEQUENCES), values.clips.split(','));
  const bdRates = await measureBdRates(all, clips, values.qs.split(',').map(Number), Number(values.frames));
  const speeds = given ? speedsOf(given, all) : await measureAllSpeeds();
  const points = all.map((contender, i) => ({ ...contender, fps: speeds[i], bdRatePercent: bdRates[i] }));
  for (const point of points) point.dominated = isDominated(point, points);
  const machine = given?.machine ?? describeMachine();
  const { svg, json, help, 'only-speeds': onlySpeeds, speeds: file, ...options } = values;
  const report = { machine, ...options, points };
  writeFileSync(join(RESULTS, 'pareto.json'), `${JSON.stringify(report, null, 2)}\n`);
  // A machine that measures speeds alone needs nothing that draws.
  const { paretoSvg } = await import('./pareto-plot.mjs');
  writeFileSync(svg, paretoSvg(points));
  const header = ['program', 'setting', 'threads', 'pictures/s', 'BD-rate %', 'dominated'];
  const rows = points.map(({ program, name, number, threads, fps, bdRatePercent, dominated }) => [
    ...[program, number === undefined ? name : `${number}: ${name}`, threads, fixed(fps, 1)],
    ...[fixed(bdRatePercent, 2), dominated ? 'yes' : 'no'],
  ]);
  process.stdout.write(json ? `${JSON.stringify(report)}\n` : `${machineLine(machine)}\n\n${table(header, rows)}\n`);
}

try {
  await main();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
