// Measures what a tuned intra matrix gains over the flat one in two passes: BD-rate and time.
// Writes bench/results/matrix-tuning.json.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { bdRate } from '../dist/compare/quality/bd-rate.js';
import { Encoder, FrameSample, tuneIntraMatrix } from '../dist/index.js';
import { clipAsY4m, listClips, RESULTS, readY4m, SEQUENCES } from './clips.mjs';
import { describeMachine, machineLine } from './machine.mjs';
import { fixed, table } from './table.mjs';

const USAGE = `usage: node bench/matrix-tuning.mjs [folder] [--clips a,b] [--frames 60] [--qualities 80,60,40,23] [--preset balanced] [--json]

  folder       video files and folders of images; default ../shared/sequences
  --qualities  the rates of the passes are those that encodes at these constant qualities have
  --json       the report as JSON on stdout
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    clips: { type: 'string' },
    frames: { type: 'string', default: '60' },
    qualities: { type: 'string', default: '80,60,40,23' },
    preset: { type: 'string', default: 'balanced' },
    gop: { type: 'string', default: '12' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h' },
  },
});

async function main() {
  const machine = describeMachine();
  const say = values.json ? () => {} : text => process.stdout.write(`${text}\n`);
  say(
    `${machineLine(machine)}\npreset ${values.preset}, gop ${values.gop}, two passes at the rates of qualities ${values.qualities}\n`,
  );
  const clips = [];
  for (const clip of listClips(resolve(positionals[0] ?? SEQUENCES), values.clips?.split(','))) {
    clips.push({ clip: clip.name, ...(await measure(readY4m(await clipAsY4m(clip, Number(values.frames))))) });
  }
  if (clips.length === 0) throw new Error('there are no clips');
  const meanOf = name => clips.reduce((sum, clip) => sum + clip[name], 0) / clips.length;
  const mean = { clip: 'mean', bdRatePercent: meanOf('bdRatePercent'), timeRatio: meanOf('timeRatio'), matrices: [] };
  const row = ({ clip, bdRatePercent, timeRatio, matrices }) => [
    clip,
    fixed(bdRatePercent, 2),
    fixed(timeRatio, 2),
    matrices.map(weights => `${weights[1]} to ${weights[63]}`).join(', '),
  ];
  say(table(['clip', 'BD-rate %', 'time, ratio', 'weights, lowest to highest frequency'], [...clips, mean].map(row)));
  mkdirSync(RESULTS, { recursive: true });
  const report = { machine, preset: values.preset, qualities: values.qualities, clips };
  writeFileSync(join(RESULTS, 'matrix-tuning.json'), `${JSON.stringify(report, null, 2)}\n`);
  if (values.json) process.stdout.write(`${JSON.stringify(report)}\n`);
}

/** Both curves of a clip, with the flat matrix and with tuned ones, and how much longer two passes take with tuning. */
async function measure({ frames, width, height, fps }) {
  const flat = [];
  const tuned = [];
  const matrices = [];
  let passSeconds = 0;
  let tuningSeconds = 0;
  for (const quality of values.qualities.split(',').map(Number)) {
    const common = {
      width,
      height,
      frameRate: fps,
      gop: Number(values.gop),
      preset: values.preset,
      estimator: 'cpu-mrmp',
      threads: 1,
    };
    const { bits } = (await encode(frames, { ...common, quality })).statistics;
    const options = { ...common, bitrate: Math.round((bits * fps) / frames.length) };
    const start = process.cpuUsage();
    const firstPass = (await encode(frames, options)).passStatistics;
    flat.push(point(await encode(frames, { ...options, firstPass })));
    passSeconds += secondsSince(start);
    const tuning = process.cpuUsage();
    const sample = new FrameSample();
    for (const frame of frames) sample.add(frame);
    const intraMatrix = await tuneIntraMatrix(sample, firstPass, options);
    tuningSeconds += secondsSince(tuning);
    matrices.push(intraMatrix);
    tuned.push(point(await encode(frames, { ...options, firstPass, intraMatrix })));
  }
  const interpolation = flat.length < 4 ? 'pchip' : 'cubic';
  const timeRatio = 1 + tuningSeconds / passSeconds;
  return { bdRatePercent: bdRate(flat, tuned, interpolation), timeRatio, matrices, flat, tuned };
}

async function encode(frames, options) {
  const encoder = new Encoder(options);
  for (const frame of frames) await encoder.add(frame);
  await encoder.finish();
  return encoder;
}

function point({ statistics: { bits, psnr } }) {
  return { bits, quality: psnr.y };
}

function secondsSince(start) {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

if (values.help) {
  process.stdout.write(USAGE);
} else {
  await main();
}
