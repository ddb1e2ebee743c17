// Measures how closely encodes keep to a bit rate.
// Encodes every clip of at least 60 pictures at several rates: in one pass, in two passes, at constant rate and below a
// peak rate. Writes bench/results/rate-accuracy.json.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Encoder } from '../dist/index.js';
import { clipAsY4m, listClips, RESULTS, readY4m, SEQUENCES } from './clips.mjs';
import { describeMachine, machineLine } from './machine.mjs';
import { fixed, table } from './table.mjs';

const USAGE = `usage: node bench/rate-accuracy.mjs [folder] [--clips a,b] [--rates 300,800,2000] [--preset balanced] [--gop N] [--json]

  folder   video files and folders of images; default ../shared/sequences
  --rates  kbit/s of a picture of CIF size, scaled by the clip's size; default 300,800,2000
  --least  pictures that a clip must have at least; default 60
  --json   the report as JSON on stdout
`;

/** The methods of rate control: their options, and the largest deviation that is allowed. */
const METHODS = [
  { name: 'one pass', options: () => ({}), limitPercent: 3 },
  { name: 'two passes', passes: 2, options: () => ({}), limitPercent: 1 },
  { name: 'constant rate', options: () => ({ cbr: true }), limitPercent: 1 },
  { name: 'peak rate', options: bitrate => ({ maxrate: 1.5 * bitrate }), limitPercent: 3 },
];
/** Mean quantizer_scales beyond which nearly all pictures are at the end of the scale: no rate control can do more. */
const FINEST_Q = 1.1;
const COARSEST_Q = 29;
const CIF_PELS = 352 * 288;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    clips: { type: 'string' },
    rates: { type: 'string', default: '300,800,2000' },
    preset: { type: 'string', default: 'balanced' },
    gop: { type: 'string', default: '12' },
    least: { type: 'string', default: '60' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h' },
  },
});

async function main() {
  const machine = describeMachine();
  const say = values.json ? () => {} : text => process.stdout.write(`${text}\n`);
  say(`${machineLine(machine)}\npreset ${values.preset}, gop ${values.gop}\n`);
  const results = [];
  for (const clip of listClips(resolve(positionals[0] ?? SEQUENCES), values.clips?.split(','))) {
    const { frames, width, height, fps } = readY4m(await clipAsY4m(clip));
    if (frames.length < Number(values.least)) continue;
    for (const kilobits of values.rates.split(',').map(Number)) {
      const bitrate = 1000 * Math.round((kilobits * width * height * fps) / (CIF_PELS * 25));
      for (const method of METHODS)
        results.push(await measure(clip.name, { frames, width, height, fps }, bitrate, method));
    }
  }
  if (results.length === 0) throw new Error(`no clip has ${values.least} pictures`);
  const header = [
    'clip',
    'pictures',
    'kbit/s',
    'method',
    'measured',
    'deviation %',
    'limit %',
    'PSNR-Y',
    'q',
    'frames/s',
  ];
  const rows = results.map(result => [
    result.clip,
    result.pictures,
    fixed(result.bitrate / 1000, 0),
    result.method,
    fixed(result.measured / 1000, 1),
    fixed(result.deviationPercent, 2),
    result.outOfReach ?? result.limitPercent,
    fixed(result.psnrY, 2),
    fixed(result.q, 2),
    fixed(result.framesPerSecond, 0),
  ]);
  say(table(header, rows));
  const reachable = results.filter(({ outOfReach }) => !outOfReach);
  const worst = Math.max(
    ...reachable.map(({ deviationPercent, limitPercent }) => Math.abs(deviationPercent) / limitPercent),
  );
  say('\nfinest, coarsest: out of reach, even at quantizer_scale 1 or 31');
  say(`the furthest from its target is at ${fixed(100 * worst, 0)} % of what is allowed`);
  mkdirSync(RESULTS, { recursive: true });
  const report = JSON.stringify({ machine, preset: values.preset, gop: values.gop, results }, null, 2);
  writeFileSync(join(RESULTS, 'rate-accuracy.json'), `${report}\n`);
  if (values.json) process.stdout.write(`${report}\n`);
}

async function measure(clip, { frames, width, height, fps }, bitrate, { name, passes, options, limitPercent }) {
  const begin = performance.now();
  const settings = {
    width,
    height,
    frameRate: fps,
    preset: values.preset,
    gop: Number(values.gop),
    estimator: 'cpu-mrmp',
    bitrate,
  };
  let firstPass;
  if (passes === 2) firstPass = (await encode(frames, { ...settings, isFirstPass: true })).passStatistics;
  const encoder = await encode(frames, { ...settings, ...options(bitrate), ...(firstPass && { firstPass }) });
  const { bits, psnr } = encoder.statistics;
  const measured = (bits * fps) / frames.length;
  const q = encoder.passStatistics.reduce((sum, picture) => sum + picture.quantizerScale, 0) / frames.length;
  return {
    clip,
    pictures: frames.length,
    bitrate,
    method: name,
    measured,
    deviationPercent: 100 * (measured / bitrate - 1),
    limitPercent,
    psnrY: psnr.y,
    q,
    outOfReach:
      q < FINEST_Q && measured < bitrate ? 'finest' : q > COARSEST_Q && measured > bitrate ? 'coarsest' : undefined,
    framesPerSecond: (1000 * frames.length) / (performance.now() - begin),
  };
}

async function encode(frames, options) {
  const encoder = new Encoder(options);
  for (const frame of frames) await encoder.add(frame);
  await encoder.finish();
  return encoder;
}

if (values.help) process.stdout.write(USAGE);
else await main();
