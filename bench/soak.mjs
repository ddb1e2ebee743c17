// Long encodes, `node bench/soak.mjs`: what an encode holds must not grow with its length, and its end must be right.
// Each estimator encodes by the library, and the command line writes .mpg and .ts. Memory, open files and threads in
// the last quarter are compared with those in the second; ffmpeg decodes the stream to the reconstruction, bit for
// bit; every picture has its time stamp. Exit status 1 if something is wrong. Linux only.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { i420Bytes } from '../dist/picture/frame.js';
import { swiftshaderEnvironment } from '../scripts/swiftshader.mjs';
import { RESULTS } from './clips.mjs';
import { describeMachine, machineLine } from './machine.mjs';
import { MPEGPU, peerFfmpeg, ROOT, run } from './processes.mjs';
import { COUNTS, growthOf, MEMORY, peaksOf, whatGrows } from './soak-growth.mjs';
import { soakPictures } from './soak-pictures.mjs';
import { fixed, table } from './table.mjs';

const USAGE = `usage: node bench/soak.mjs [--pictures 20000] [--size 96x80] [--range 16] [--estimator NAME ...] [--cli .mpg ...]
       [--real-gpu]

  --estimator  encode with this estimator by the library; may be repeated; default: all
  --cli        write a file with this ending by the command line; may be repeated; default: .mpg and .ts
  --real-gpu   use the machine's GPU; default: a software GPU
`;

const ESTIMATORS = ['zero', 'cpu-full', 'cpu-log', 'cpu-mrmp', 'cpu-predictive', 'gpu-full', 'gpu-mrmp'];
/** What the encodes of the command line add: constant bits into a buffer, and a constant scale. */
const CLI_FLAGS = { '.mpg': ['--bitrate', '300k', '--cbr'], '.ts': ['--q', '6'] };
const TICKS_PER_PICTURE = 90_000 / 25;
const FRAME_LINE = Buffer.from('FRAME\n');
const REPORTER = new URL('./soak-reporter.mjs', import.meta.url).href;
const HEAP = new URL('./soak-heap.mjs', import.meta.url).href;

const { values } = parseArgs({
  options: {
    pictures: { type: 'string', default: '20000' },
    size: { type: 'string', default: '96x80' },
    range: { type: 'string', default: '16' },
    estimator: { type: 'string', multiple: true },
    cli: { type: 'string', multiple: true },
    'real-gpu': { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h' },
  },
});
const pictures = Number(values.pictures);
const [width, height] = values.size.split('x').map(Number);
const range = Number(values.range);
const scratch = join(RESULTS, `soak-${process.pid}`);
const gpu = values['real-gpu'] ? {} : swiftshaderEnvironment();

/** An encode by the library with an estimator: a row. */
async function soakLibrary(estimator) {
  const output = join(scratch, `${estimator}.mpg`);
  const options = { estimator, range: { x: range, y: range }, q: 6 };
  const job = JSON.stringify({ pictures, width, height, output, options });
  const program = join(ROOT, 'bench', 'soak-encode.mjs');
  const { stdout } = await run(process.execPath, ['--expose-gc', '--import', HEAP, program, job], {
    env: { ...process.env, ...gpu },
  });
  const { samples, seconds, digest, lastDigest, device, estimator: used } = JSON.parse(stdout.toString());
  const decoded = await decodedDigests(output);
  const problems = [
    ...(used === estimator ? [] : [`${used} answered`]),
    ...(decoded.digest === digest ? [] : ['the decoded pictures are not the reconstruction']),
    ...(decoded.lastDigest === lastDigest ? [] : ['the last picture is not the reconstruction']),
    ...(await stampProblems(output)),
  ];
  return { name: `${estimator} (${device})`, seconds, samples, problems };
}

/** An encode by the command line into a file with an ending: a row. */
async function soakCommandLine(ending) {
  const [output, recon, sampleFile] = [`output${ending}`, 'recon.y4m', 'samples.json'].map(name => join(scratch, name));
  const flags = CLI_FLAGS[ending] ?? [];
  const given = ['--estimator', 'zero', '--overwrite', '--quiet', '--recon', recon, ...flags];
  const frameBytes = FRAME_LINE.length + i420Bytes(width, height);
  const start = performance.now();
  const nodeArgs = ['--expose-gc', '--import', REPORTER];
  const child = spawn(process.execPath, [...nodeArgs, MPEGPU, 'encode', '-', '-o', output, ...given], {
    stdio: ['pipe', 'ignore', 'inherit'],
    env: { ...process.env, MPEGPU_SOAK_JOB: JSON.stringify({ frameBytes, file: sampleFile }) },
  });
  const ended = once(child, 'exit');
  const frameAt = soakPictures(width, height);
  child.stdin.write(`YUV4MPEG2 W${width} H${height} F25:1 Ip A1:1 C420jpeg\n`);
  for (let number = 0; number < pictures; number++) {
    const { y, u, v } = frameAt(number);
    if (!child.stdin.write(Buffer.concat([FRAME_LINE, y, u, v]))) await once(child.stdin, 'drain');
  }
  child.stdin.end();
  const [status] = await ended;
  const seconds = (performance.now() - start) / 1000;
  const [decoded, kept] = [await decodedDigests(output), await decodedDigests(recon)];
  const problems = [
    ...(status === 0 ? [] : [`exit status ${status}`]),
    ...(decoded.digest === kept.digest ? [] : ['the decoded pictures are not the reconstruction']),
    ...(await stampProblems(output)),
  ];
  const samples = JSON.parse(readFileSync(sampleFile, 'utf8'));
  return { name: ['mpegpu encode -o', ending, ...flags].join(' '), seconds, samples, problems };
}

/** Digests of all pictures that ffmpeg decodes, and of the last one. */
async function decodedDigests(path) {
  const args = ['-v', 'error', '-nostdin', '-i', path, '-map', '0:v:0', '-vsync', 'passthrough'];
  const child = spawn(peerFfmpeg(), [...args, '-pix_fmt', 'yuv420p', '-f', 'rawvideo', '-'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const whole = createHash('sha256');
  const frameBytes = i420Bytes(width, height);
  let tail = Buffer.alloc(0);
  for await (const bytes of child.stdout) {
    whole.update(bytes);
    tail = Buffer.concat([tail, bytes]).subarray(-frameBytes);
  }
  return { digest: whole.digest('hex'), lastDigest: createHash('sha256').update(tail).digest('hex') };
}

/** What is wrong with the time stamps: there must be one a picture, without a gap. */
async function stampProblems(path) {
  const fields = ['-select_streams', 'v:0', '-show_entries', 'packet=pts,dts', '-of', 'csv=p=0'];
  const { stdout } = await run('ffprobe', ['-v', 'error', ...fields, path]);
  const rows = [...stdout.toString().matchAll(/^(\d+),(\d+)/gm)].map(([, pts, dts]) => [Number(pts), Number(dts)]);
  const problems = rows.length === pictures ? [] : [`${rows.length} time stamps for ${pictures} pictures`];
  for (const [column, name] of [
    [0, 'PTS'],
    [1, 'DTS'],
  ]) {
    const ticks = rows.map(row => row[column]).sort((a, b) => a - b);
    const wrong = ticks.findIndex((value, number) => value !== ticks[0] + number * TICKS_PER_PICTURE);
    if (wrong >= 0) problems.push(`the ${name} of picture ${wrong} is ${ticks[wrong]}`);
  }
  return problems;
}

function rowTexts({ name, seconds, samples, problems }) {
  const memory = ['residentBytes', ...MEMORY].map(key => {
    const { early, late, growth } = growthOf(samples, key, pictures);
    const change = `${growth < 0 ? '' : '+'}${fixed(100 * growth, 1)} %`;
    return `${fixed(early / 2 ** 20, 1)} to ${fixed(late / 2 ** 20, 1)} (${change})`;
  });
  const counts = COUNTS.map(key => {
    const { early, late } = peaksOf(samples, key, pictures);
    return early === late ? String(late) : `${early} to ${late}`;
  });
  return [
    name,
    fixed(pictures / seconds, 0),
    ...memory,
    ...counts,
    problems.length === 0 ? 'right' : problems.join('; '),
  ];
}

if (values.help) {
  process.stdout.write(USAGE);
} else {
  mkdirSync(scratch, { recursive: true });
  const machine = describeMachine();
  process.stdout.write(`${machineLine(machine)}\n${pictures} pictures of ${width}x${height}\n`);
  const rows = [];
  const jobs = [
    ...(values.estimator ?? (values.cli ? [] : ESTIMATORS)).map(estimator => () => soakLibrary(estimator)),
    ...(values.cli ?? (values.estimator ? [] : Object.keys(CLI_FLAGS))).map(ending => () => soakCommandLine(ending)),
  ];
  try {
    for (const job of jobs) {
      const row = await job();
      row.problems.push(...whatGrows(row.samples, pictures).map(key => `${key} grow`));
      rows.push(row);
      process.stderr.write(`${rowTexts(row).join(' | ')}\n`);
      writeFileSync(join(RESULTS, 'soak.json'), JSON.stringify({ machine, rows }));
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  const memory = ['RSS in MiB', 'without young generations', 'heap', 'array buffers'];
  const header = ['encode', 'pictures/s', ...memory, 'files', 'threads', 'outcome'];
  process.stdout.write(`\n${table(header, rows.map(rowTexts))}\n`);
  if (rows.some(({ problems }) => problems.length > 0)) process.exitCode = 1;
}
