// Measures what threads are worth. Needs a build.
// Encodes one sequence with several numbers of threads, and as many separate one-thread encodes at once, in turn, in
// several rounds, every other one backwards. Prints medians: pictures a second, how many times one thread's, and the
// part of what the separate encodes reach together; the processor time of a picture, in both, and how many cores were
// busy. Checks that all streams are equal. All times are of whole processes.
//
//     node bench/threads.mjs [--input FILE] [--size 640x480] [--loops N] [--frames N] [--threads 1,2,4,8,16,auto]
//                            [--separate 1,2,4,8,16] [--short N] [--base FOLDER] [--beside="OPTIONS"]
//                            [--ffmpeg="OPTIONS"] [--rounds N] [--json FILE] [-- MORE ENCODE OPTIONS]
//
// --input is decoded, cropped to --size and repeated by ffmpeg first; without it, N pictures pan back and forth.
// --threads: auto leaves the number to the program; as many separate encodes as there are cores stand beside it.
// --separate: the numbers of threads that separate encodes are compared with; by default all, none with 0.
// --short: encodes with one thread, alone and together, take the first N pictures; the others all.
// --base: another build, which encodes in turn; its streams may differ.
// --beside: this build with other options as well, in turn; its streams may differ.
// --ffmpeg: also ffmpeg in turn, with as many threads and these options of its own, such as "-q:v 4 -g 12 -bf 0".
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import installer from '@ffmpeg-installer/ffmpeg';
import { median } from './median.mjs';
import { writePanningClip } from './panning-clip.mjs';
import { MPEGPU as program } from './processes.mjs';
import { fixed, table } from './table.mjs';

const { values: options, positionals: more } = parseArgs({
  allowPositionals: true,
  options: {
    input: { type: 'string' },
    size: { type: 'string', default: '640x480' },
    loops: { type: 'string', default: '1' },
    frames: { type: 'string', default: '300' },
    threads: { type: 'string', default: '1,2,4,8,16' },
    separate: { type: 'string' },
    short: { type: 'string' },
    base: { type: 'string' },
    beside: { type: 'string' },
    ffmpeg: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    json: { type: 'string' },
  },
});
const base = ['dist/package/mpegpu.js', 'dist/cli/main.js']
  .map(path => options.base && resolve(options.base, path))
  .find(path => path && existsSync(path));
if (options.base && !base) throw new Error(`--base: there is no build in ${options.base}`);
const ffmpeg = process.env.FFMPEG ?? installer.path;
const counts = options.threads.split(',');
const separate = (options.separate ?? options.threads).split(',');
const isAuto = count => count === 'auto';
const isShort = count => options.short !== undefined && String(count) === '1';
const reporter = new URL('./report-usage.mjs', import.meta.url).href;

const folder = mkdtempSync(join(tmpdir(), 'threads-'));
try {
  const input = join(folder, 'in.y4m');
  if (options.input) decode(options.input, input);
  else writePanningClip(input, options.size, Number(options.frames));
  const runs = new Map(
    counts.map(count => [count, { alone: [], together: [], base: [], beside: [], ffmpeg: [], waitMs: 0 }]),
  );
  const hashes = new Set();
  const output = join(folder, 'out.m1v');
  const steps = counts.flatMap(count => {
    const run = runs.get(count);
    return [
      base && (async () => run.base.push(await encode(base, input, output, count))),
      options.beside &&
        (async () => run.beside.push(await encode(program, input, output, count, options.beside.split(' ')))),
      async () => {
        const { motion, ...speed } = await encode(program, input, output, count);
        if (!isShort(count)) hashes.add(createHash('md5').update(readFileSync(output)).digest('hex'));
        run.waitMs = motion.waitMs;
        run.frames = speed.frames;
        run.alone.push(speed);
      },
      separate.includes(count) && (async () => run.together.push(await encodeTogether(input, count))),
      options.ffmpeg && (async () => run.ffmpeg.push({ fps: encodeByFfmpeg(input, output, count, run.frames) })),
    ].filter(Boolean);
  });
  // Backwards in every other round: a machine that gets faster, or slower, favours no one.
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const step of round % 2 === 0 ? steps : steps.toReversed()) await step();
  }
  if (hashes.size > 1) throw new Error('the streams differ between numbers of threads');
  const one = medianOf(runs.get(counts[0]).alone, 'fps');
  const rows = [...runs].map(([threads, run]) => {
    const { alone, together, waitMs } = run;
    const fps = medianOf(alone, 'fps');
    const separateSpeed = together.length > 0 && { fps: medianOf(together, 'fps'), cpuMs: medianOf(together, 'cpuMs') };
    return {
      threads,
      fps,
      speedup: fps / one,
      cpuMs: medianOf(alone, 'cpuMs'),
      busyCores: medianOf(alone, 'busyCores'),
      waitMs,
      allFps: alone.map(speed => speed.fps),
      ...(separateSpeed && { together: separateSpeed, part: medianRatio(alone, together) }),
      base: comparison(alone, run.base),
      beside: comparison(alone, run.beside),
      ffmpeg: comparison(alone, run.ffmpeg),
    };
  });
  const machine = { cpu: cpus()[0]?.model.trim(), cores: cpus().length, node: process.version };
  const what = [options.input ?? 'generated', options.size, ...more].join(' ');
  console.log([new Date().toISOString().slice(0, 10), ...Object.values(machine), what].join(', '));
  const heads = ['threads', 'pictures/s', 'times one', 'CPU ms/picture', 'busy cores', 'waited for motion ms'];
  const separateHeads = ['separate encodes', 'their CPU ms/picture', 'part of them'];
  const peers = ['base', 'beside', 'ffmpeg'].filter(name => options[name]);
  console.log(
    table(
      [...heads, ...separateHeads, ...peers.flatMap(name => [name, `times ${name}`])],
      rows.map(({ threads, fps, speedup, cpuMs, busyCores, waitMs, together, part, ...others }) => [
        threads,
        fixed(fps, 1),
        fixed(speedup, 2),
        fixed(cpuMs, 2),
        fixed(busyCores, 1),
        fixed(waitMs, 0),
        ...(together ? [fixed(together.fps, 1), fixed(together.cpuMs, 2), fixed(part, 2)] : ['', '', '']),
        ...peers.flatMap(name => [fixed(others[name].fps, 1), fixed(others[name].times, 2)]),
      ]),
    ),
  );
  if (options.json) writeFileSync(options.json, `${JSON.stringify({ machine, options, more, rows }, null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true });
}

/**
 * Frames, what is told of motion, and the speed of the whole program: frames a second, processor time of one in
 * milliseconds, and how many cores were busy.
 */
async function encode(build, input, output, threads, others = []) {
  const start = performance.now();
  const usageFile = `${output}.usage`;
  const args = ['encode', input, '-o', output, '--overwrite', '--json', ...more, ...others];
  if (isShort(threads)) args.push('--frames', options.short);
  if (!isAuto(threads)) args.push('--threads', String(threads));
  const { frames, motion } = await new Promise((resolve, reject) =>
    execFile(
      process.execPath,
      ['--import', reporter, build, ...args],
      { maxBuffer: 1 << 28, env: { ...process.env, MPEGPU_BENCH_USAGE_FILE: usageFile } },
      (error, stdout) => (error ? reject(error) : resolve(JSON.parse(stdout))),
    ),
  );
  const ms = performance.now() - start;
  const { cpuMs } = JSON.parse(readFileSync(usageFile, 'utf8'));
  return { frames, motion, fps: (1000 * frames) / ms, cpuMs: cpuMs / frames, busyCores: cpuMs / ms };
}

function medianOf(speeds, name) {
  return median(speeds.map(speed => speed[name]));
}

/** The speed of a peer, and how many times it that of `own` is; undefined without runs of it. */
function comparison(own, peer) {
  if (peer.length === 0) return undefined;
  return { fps: medianOf(peer, 'fps'), times: medianRatio(own, peer), allFps: peer.map(({ fps }) => fps) };
}

/** How many times the speed of `peers` that of `own` is, in the median of the rounds. */
function medianRatio(own, peers) {
  return median(own.map(({ fps }, i) => fps / peers[i].fps));
}

/** Frames a second of ffmpeg, which writes an elementary stream, too. */
function encodeByFfmpeg(input, output, threads, frames) {
  const settings = ['-c:v', 'mpeg1video', ...options.ffmpeg.split(' '), '-threads', isAuto(threads) ? '0' : threads];
  const start = performance.now();
  execFileSync(ffmpeg, ['-v', 'error', '-i', input, ...settings, '-frames:v', String(frames), '-y', output]);
  return (1000 * frames) / (performance.now() - start);
}

/** Frames a second of `threads` one-thread encodes at once, all together, and the processor time of one. */
async function encodeTogether(input, threads) {
  const count = isAuto(threads) ? availableParallelism() : Number(threads);
  const start = performance.now();
  const results = await Promise.all(
    Array.from({ length: count }, (_, i) => encode(program, input, join(folder, `together-${i}.m1v`), 1)),
  );
  const frames = results.reduce((sum, result) => sum + result.frames, 0);
  const cpuMs = results.reduce((sum, result) => sum + result.cpuMs, 0) / count;
  return { fps: (1000 * frames) / (performance.now() - start), cpuMs };
}

function decode(input, output) {
  const [width, height] = options.size.split('x');
  const filter = `crop=${width}:${height}`;
  // It fails where ffmpeg cannot go back to the start, as in a stream without a container.
  const loops = ['-xerror', '-stream_loop', String(Number(options.loops) - 1)];
  execFileSync(ffmpeg, ['-v', 'error', ...loops, '-i', input, '-vf', filter, '-pix_fmt', 'yuv420p', '-y', output]);
}
