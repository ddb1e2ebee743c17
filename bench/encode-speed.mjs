// Measures the speed of whole encodes at 640x480 on one thread, against ffmpeg's mpeg1video.
// Both programs read the same y4m file at the same quantizer, and write an elementary stream. They run alternately, and
// are timed from the start of the process to its exit.
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SequenceQuality } from '../dist/compare/quality/sequence-quality.js';
import { decode, listClips, pingPongAsY4m, RESULTS, readY4m, SEQUENCES, sampleAsY4m } from './clips.mjs';
import { describeMachine, machineLine } from './machine.mjs';
import { median } from './median.mjs';
import { runEncode, runFfmpeg, words } from './processes.mjs';
import { fixed, table } from './table.mjs';

const USAGE = `usage: node bench/encode-speed.mjs [--qs 2,8] [--runs 5] [--frames 150] [--real-clip city_704x576]
       [--args "..."] [--ffmpeg-args "..."] [--json]

  --real-clip    a clip of ../shared/sequences, scaled and played forwards and backwards; left out if the folder is missing
  --args         more arguments for mpegpu encode, after --q Q --gop 12 --threads 1
  --ffmpeg-args  besides -q:v Q; default "-g 12 -bf 0 -threads 1"
`;

const SIZE = { width: 640, height: 480 };

/**
 * Measures every clip at every quantizer. A row has frames per second by the median wall time of each program (`fps`),
 * the same without the start of node (`fpsInside`, by mpegpu's own clock), their ratios, and bits and PSNR-Y of both.
 */
export async function measureEncodeSpeed(options, onRow = () => {}) {
  const scratch = join(RESULTS, `encode-speed-${process.pid}`);
  mkdirSync(scratch, { recursive: true });
  try {
    const rows = [];
    for (const { name, y4m } of await speedClips(options)) {
      const original = readY4m(y4m);
      for (const q of options.qs) {
        const row = {
          clip: name,
          frames: original.frames.length,
          q,
          ...(await measureRow(y4m, original, q, options, scratch)),
        };
        rows.push(row);
        onRow(row);
      }
    }
    return rows;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function speedClips({ frames, realClip }) {
  const clips = [{ name: 'sample snow', y4m: await sampleAsY4m({ kind: 'snow', ...SIZE, frames, seed: 1 }) }];
  if (existsSync(SEQUENCES)) {
    const [clip] = listClips(SEQUENCES, [realClip]);
    clips.push({ name: realClip, y4m: await pingPongAsY4m(clip, { ...SIZE, frames }) });
  }
  return clips;
}

/** One warm-up of each program, then `runs` of each, alternately. */
async function measureRow(y4m, original, q, { runs, args, ffmpegArgs }, scratch) {
  const ours = join(scratch, 'mpegpu.m1v');
  const theirs = join(scratch, 'ffmpeg.m1v');
  const encode = () => runEncode(y4m, ours, ['--q', String(q), '--gop', '12', '--threads', '1', ...args]);
  const peer = () =>
    runFfmpeg('-i', y4m, '-c:v', 'mpeg1video', '-q:v', String(q), ...ffmpegArgs, '-f', 'mpeg1video', theirs);
  await encode();
  await peer();
  const reports = [];
  const peerSeconds = [];
  for (let i = 0; i < runs; i++) {
    reports.push(await encode());
    peerSeconds.push((await peer()).seconds);
  }
  const frames = original.frames.length;
  const fps = frames / median(reports.map(report => report.wallSeconds));
  const fpsInside = frames / median(reports.map(report => report.seconds));
  const ffmpegFps = frames / median(peerSeconds);
  return {
    estimator: reports[0].estimator,
    fps,
    fpsInside,
    ffmpegFps,
    ratio: fps / ffmpegFps,
    ratioInside: fpsInside / ffmpegFps,
    waitMs: reports[0].motion?.waitMs,
    bits: statSync(ours).size * 8,
    ffmpegBits: statSync(theirs).size * 8,
    psnrY: await psnrY(ours, original),
    ffmpegPsnrY: await psnrY(theirs, original),
  };
}

async function psnrY(stream, original) {
  const quality = new SequenceQuality();
  const decoded = await decode(stream, original.width, original.height);
  for (const [i, frame] of original.frames.entries()) quality.add(frame, decoded[i]);
  return quality.psnr().y;
}

/** The rows as a table. */
export function encodeSpeedTable(rows) {
  const header = ['clip', 'q', 'frames/s', 'inside', 'ffmpeg', 'ratio', 'inside', 'bits %', 'PSNR-Y', 'ffmpeg'];
  return table(
    header,
    rows.map(row => [
      row.clip,
      row.q,
      fixed(row.fps, 1),
      fixed(row.fpsInside, 1),
      fixed(row.ffmpegFps, 1),
      fixed(row.ratio, 3),
      fixed(row.ratioInside, 3),
      fixed((row.bits / row.ffmpegBits - 1) * 100, 1),
      fixed(row.psnrY, 2),
      fixed(row.ffmpegPsnrY, 2),
    ]),
  );
}

/** What is measured by default. */
export const ENCODE_SPEED_DEFAULTS = {
  qs: [2, 8],
  runs: 5,
  frames: 150,
  realClip: 'city_704x576',
  args: [],
  ffmpegArgs: ['-g', '12', '-bf', '0', '-threads', '1'],
};

async function main() {
  const { values } = parseArgs({
    options: {
      qs: { type: 'string' },
      runs: { type: 'string' },
      frames: { type: 'string' },
      'real-clip': { type: 'string' },
      args: { type: 'string' },
      'ffmpeg-args': { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const options = {
    qs: values.qs?.split(',').map(Number) ?? ENCODE_SPEED_DEFAULTS.qs,
    runs: Number(values.runs ?? ENCODE_SPEED_DEFAULTS.runs),
    frames: Number(values.frames ?? ENCODE_SPEED_DEFAULTS.frames),
    realClip: values['real-clip'] ?? ENCODE_SPEED_DEFAULTS.realClip,
    args: words(values.args),
    ffmpegArgs: values['ffmpeg-args'] === undefined ? ENCODE_SPEED_DEFAULTS.ffmpegArgs : words(values['ffmpeg-args']),
  };
  const machine = describeMachine();
  const rows = await measureEncodeSpeed(options);
  const report = { machine, ...options, rows };
  writeFileSync(join(RESULTS, 'encode-speed.json'), `${JSON.stringify(report, null, 2)}\n`);
  process.stdout.write(
    values.json ? `${JSON.stringify(report)}\n` : `${machineLine(machine)}\n\n${encodeSpeedTable(rows)}\n`,
  );
}

if (process.argv[1] === import.meta.filename) await main();
