// Measures what threads are worth. Needs a build.
// Encodes one sequence with several numbers of threads, and as many separate one-thread encodes at once, in turn, in
// several rounds. Prints medians: pictures a second, how many times one thread's, and the part of what the separate
// encodes reach together. Checks that all streams are equal.
//
//     node bench/threads.mjs [--input FILE] [--size 640x480] [--loops N] [--frames N] [--threads 1,2,4,8,16]
//                            [--rounds N] [--json FILE] [-- MORE ENCODE OPTIONS]
//
// --input is decoded, cropped to --size and repeated by ffmpeg first; without it, N pictures pan back and forth.
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import installer from '@ffmpeg-installer/ffmpeg';
import { writePanningClip } from './panning-clip.mjs';
import { fixed, table } from './table.mjs';

const { values: options, positionals: more } = parseArgs({
  allowPositionals: true,
  options: {
    input: { type: 'string' },
    size: { type: 'string', default: '640x480' },
    loops: { type: 'string', default: '1' },
    frames: { type: 'string', default: '300' },
    threads: { type: 'string', default: '1,2,4,8,16' },
    rounds: { type: 'string', default: '3' },
    json: { type: 'string' },
  },
});
const program = fileURLToPath(new URL('../dist/package/mpegpu.js', import.meta.url));
const median = values => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const counts = options.threads.split(',').map(Number);

const folder = mkdtempSync(join(tmpdir(), 'threads-'));
try {
  const input = join(folder, 'in.y4m');
  if (options.input) decode(options.input, input);
  else writePanningClip(input, options.size, Number(options.frames));
  const runs = new Map(counts.map(count => [count, { fps: [], together: [], result: undefined, hash: '' }]));
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const count of counts) {
      const run = runs.get(count);
      const output = join(folder, 'out.m1v');
      run.result = await encode(input, output, count);
      run.hash = createHash('md5').update(readFileSync(output)).digest('hex');
      run.fps.push(run.result.fps);
      run.together.push(await encodeTogether(input, count));
    }
  }
  const hashes = new Set([...runs.values()].map(({ hash }) => hash));
  if (hashes.size > 1) throw new Error('the streams differ between numbers of threads');
  const one = median(runs.get(counts[0]).fps);
  const rows = [...runs].map(([threads, { fps, together, result }]) => ({
    threads,
    fps: median(fps),
    speedup: median(fps) / one,
    together: median(together),
    part: median(fps) / median(together),
    waitMs: result.motion.waitMs,
    allFps: fps,
  }));
  const machine = { cpu: cpus()[0]?.model.trim(), cores: cpus().length, node: process.version };
  const what = [options.input ?? 'generated', options.size, ...more].join(' ');
  console.log([new Date().toISOString().slice(0, 10), ...Object.values(machine), what].join(', '));
  console.log(
    table(
      ['threads', 'pictures/s', 'times one', 'separate encodes', 'part of them', 'waited for motion ms'],
      rows.map(row => [
        String(row.threads),
        fixed(row.fps, 1),
        fixed(row.speedup, 2),
        fixed(row.together, 1),
        fixed(row.part, 2),
        fixed(row.waitMs, 0),
      ]),
    ),
  );
  if (options.json) writeFileSync(options.json, `${JSON.stringify({ machine, options, more, rows }, null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true });
}

/** The JSON of an encode, with its frames a second from start to end of the program. */
async function encode(input, output, threads) {
  const start = performance.now();
  const args = ['encode', input, '-o', output, '--overwrite', '--json', '--threads', String(threads), ...more];
  const json = await new Promise((resolve, reject) =>
    execFile(process.execPath, [program, ...args], { maxBuffer: 1 << 28 }, (error, stdout) =>
      error ? reject(error) : resolve(JSON.parse(stdout)),
    ),
  );
  return { ...json, fps: (1000 * json.frames) / (performance.now() - start) };
}

/** Frames a second of `count` one-thread encodes at once, all together. */
async function encodeTogether(input, count) {
  const start = performance.now();
  const results = await Promise.all(
    Array.from({ length: count }, (_, i) => encode(input, join(folder, `together-${i}.m1v`), 1)),
  );
  const frames = results.reduce((sum, result) => sum + result.frames, 0);
  return (1000 * frames) / (performance.now() - start);
}

function decode(input, output) {
  const [width, height] = options.size.split('x');
  const filter = `crop=${width}:${height}`;
  const args = ['-v', 'error', '-stream_loop', String(Number(options.loops) - 1), '-i', input, '-vf', filter];
  execFileSync(process.env.FFMPEG ?? installer.path, [...args, '-pix_fmt', 'yuv420p', '-y', output]);
}
