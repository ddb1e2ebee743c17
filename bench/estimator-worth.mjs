// Measures what an estimator is worth in an encode: bits at equal PSNR-Y against the first estimator, clip by clip.
// Bits and PSNR are the encoder's own; its reconstruction is what ffmpeg decodes.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { bdRate } from '../dist/compare/quality/bd-rate.js';
import { Encoder, PRESET_NAMES } from '../dist/index.js';
import { clipAsY4m, listClips, RESULTS, readY4m, SEQUENCES } from './clips.mjs';
import { describeMachine, machineLine } from './machine.mjs';
import { fixed, table } from './table.mjs';

const USAGE = `usage: node bench/estimator-worth.mjs [folder] [--clips a,b] [--frames 48] [--gop 250] [--preset balanced]
       [--estimators cpu-log,cpu-predictive,cpu-mrmp,cpu-full:32,zero] [--json]

  --estimators  NAME or NAME:RANGE, in full pels to either side; the others are compared with the first
  --json        print the report as JSON; it is always written to bench/results/estimator-worth.json
`;
const QS = [2, 4, 8, 14];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    clips: { type: 'string' },
    frames: { type: 'string', default: '48' },
    gop: { type: 'string', default: '250' },
    preset: { type: 'string', default: 'balanced' },
    estimators: { type: 'string', default: 'cpu-log,cpu-predictive,cpu-mrmp,cpu-full:32,zero' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h' },
  },
});

/** Bits and PSNR-Y at each of QS. */
async function curve(frames, choice) {
  const [estimator, reach] = choice.split(':');
  const range = reach === undefined ? {} : { range: { x: Number(reach), y: Number(reach) } };
  const { width, height } = frames[0];
  const points = [];
  for (const q of QS) {
    const options = { width, height, frameRate: 25, threads: 1, gop: Number(values.gop), preset: values.preset };
    const encoder = new Encoder({ ...options, q, estimator, ...range });
    const dropping = (async () => {
      for await (const _ of encoder);
    })();
    for (const frame of frames) await encoder.add(frame);
    await encoder.finish();
    await dropping;
    points.push({ bits: encoder.statistics.bits, quality: encoder.statistics.psnr.y });
  }
  return points;
}

async function main() {
  if (!PRESET_NAMES.includes(values.preset)) throw new Error(`--preset is one of ${PRESET_NAMES.join(', ')}`);
  const [anchor, ...others] = values.estimators.split(',');
  const rows = [];
  for (const clip of listClips(resolve(positionals[0] ?? SEQUENCES), values.clips?.split(','))) {
    const frames = readY4m(await clipAsY4m(clip)).frames.slice(0, Number(values.frames));
    const base = await curve(frames, anchor);
    const gains = [];
    for (const choice of others) gains.push(bdRate(base, await curve(frames, choice)));
    rows.push({ clip: clip.name, pictures: frames.length, gains });
  }
  const mean = others.map((_, i) => rows.reduce((sum, { gains }) => sum + gains[i], 0) / rows.length);
  const report = {
    machine: describeMachine(),
    preset: values.preset,
    gop: Number(values.gop),
    anchor,
    others,
    rows,
    mean,
  };
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(join(RESULTS, 'estimator-worth.json'), `${JSON.stringify(report, null, 2)}\n`);
  if (values.json) return process.stdout.write(`${JSON.stringify(report)}\n`);
  const cells = gains => gains.map(gain => fixed(gain, 2));
  console.log(
    `${machineLine(report.machine)}\npreset ${values.preset}, gop ${values.gop}, against ${anchor}, BD-rate in %\n`,
  );
  console.log(
    table(
      ['clip', 'pictures', ...others],
      [...rows.map(({ clip, pictures, gains }) => [clip, pictures, ...cells(gains)]), ['mean', '', ...cells(mean)]],
    ),
  );
}

if (values.help) process.stdout.write(USAGE);
else await main();
