// Measures what a GPU saves the coders. Needs a build.
// Encodes one sequence with each estimator in turn, several rounds, with as many coder threads; and by one thread that
// searches itself. Prints medians: the speed compared with `zero`, which searches nothing, how long the coders waited
// for motion, and how much of that was set-up. Prints a table; --json FILE writes all.
//
//     node bench/gpu-overlap.mjs [--input FILE.y4m] [--size 640x480] [--frames N] [--rounds N] [--threads N]
//                                [--preset NAME] [--json FILE]
//
// Without --input it generates N pictures (300) that pan back and forth.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median } from './median.mjs';
import { writePanningClip } from './panning-clip.mjs';
import { fixed, table } from './table.mjs';

const { values: options } = parseArgs({
  options: {
    input: { type: 'string' },
    size: { type: 'string', default: '640x480' },
    frames: { type: 'string', default: '300' },
    rounds: { type: 'string', default: '5' },
    threads: { type: 'string', default: '2' },
    preset: { type: 'string', default: 'balanced' },
    json: { type: 'string' },
  },
});
const built = name => fileURLToPath(new URL(`../dist/${name}`, import.meta.url));

const threads = ['--threads', options.threads];
const VARIANTS = [
  ['zero', ...threads, '--estimator', 'zero'],
  ['gpu-mrmp', ...threads, '--estimator', 'gpu-mrmp'],
  ['gpu-full 32', ...threads, '--estimator', 'gpu-full', '--range', '32'],
  ['cpu-predictive', ...threads, '--estimator', 'cpu-predictive'],
  ['cpu-log', ...threads, '--estimator', 'cpu-log'],
  ['cpu-predictive, one thread', '--threads', '1', '--estimator', 'cpu-predictive'],
  ['cpu-log, one thread', '--threads', '1', '--estimator', 'cpu-log'],
];

const folder = mkdtempSync(join(tmpdir(), 'overlap-'));
try {
  const input = options.input ?? join(folder, 'pan.y4m');
  if (!options.input) writePanningClip(input, options.size, Number(options.frames));
  const runs = VARIANTS.map(() => []);
  for (let round = 0; round < Number(options.rounds); round++) {
    // Each round starts with another estimator, so that no estimator has the advantage of being first.
    for (let turn = 0; turn < VARIANTS.length; turn++) {
      const at = (round + turn) % VARIANTS.length;
      runs[at].push(encode(input, VARIANTS[at].slice(1)));
    }
  }
  const zeroFps = median(runs[0].map(({ fps }) => fps));
  const rows = VARIANTS.map(([name], at) => ({
    name,
    device: runs[at][0].device,
    fps: median(runs[at].map(({ fps }) => fps)),
    ratio: median(runs[at].map(({ fps }) => fps)) / zeroFps,
    waitMs: median(runs[at].map(({ motion }) => motion.waitMs)),
    setupWaitMs: median(runs[at].map(({ motion }) => motion.setupWaitMs)),
    busyMs: median(runs[at].map(({ motion }) => motion.busyMs)),
    bits: runs[at][0].bits,
    psnrY: runs[at][0].psnr.y,
    allFps: runs[at].map(({ fps }) => fps),
  }));
  const machine = { cpu: cpus()[0]?.model.trim(), cores: cpus().length, node: process.version };
  console.log(
    [
      new Date().toISOString().slice(0, 10),
      ...Object.values(machine),
      `preset ${options.preset}`,
      options.size,
      `${options.threads} threads`,
    ].join(', '),
  );
  console.log(
    table(
      ['estimator', 'device', 'pictures/s', 'of zero', 'waited ms', 'for set-up', 'search busy ms', 'bits', 'PSNR-Y'],
      rows.map(row => [
        row.name,
        row.device,
        fixed(row.fps, 1),
        `${fixed(100 * row.ratio, 1)} %`,
        fixed(row.waitMs, 1),
        fixed(row.setupWaitMs, 1),
        fixed(row.busyMs, 0),
        String(row.bits),
        fixed(row.psnrY, 2),
      ]),
    ),
  );
  if (options.json) writeFileSync(options.json, `${JSON.stringify({ machine, options, rows, runs }, null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true });
}

/** The JSON that `mpegpu encode` prints. */
function encode(input, more) {
  const output = join(folder, 'out.m1v');
  const command = ['encode', input, '-o', output, '--overwrite', '--json', '--preset', options.preset, ...more];
  return JSON.parse(execFileSync(process.execPath, [built('cli/main.js'), ...command], { maxBuffer: 1 << 28 }));
}
