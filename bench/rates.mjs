// Measures what a bit rate gives: how near the stream is to it, and its PSNR to that of constant quality of its size.
// Encodes each clip at rates between what `q: 31` and `q: 1` take, in one pass and in two: its first pictures, fewer of
// them, the first ones with noise, and the first ones fading to black. Writes bench/results/rates.json.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { qualityOfScale } from '../dist/encoder/quantizer/constant-quality.js';
import { MAX_BIT_RATE } from '../dist/encoder/rate-control/rate-settings.js';
import { Encoder } from '../dist/index.js';
import { cached, clipAsY4m, listClips, noisyClipAsY4m, RESULTS, readY4m, SEQUENCES } from './clips.mjs';
import { describeMachine, machineLine } from './machine.mjs';
import { fixed, table } from './table.mjs';

const USAGE = `usage: node bench/rates.mjs [folder] [--clips a,b] [--variants 60,24,noisy,faded] [--points 4] [--preset balanced] [--gop 12]
       [--reuse KEY] [--json]

  folder      video files and folders of images; default ../shared/sequences
  --variants  numbers of pictures; noisy: the first number of pictures with noise of 12 levels (ffmpeg's noise filter);
              faded: the first number of pictures, the second half of which fades to black
  --points    rates of each clip, in equal ratios from 2 % above what quantizer_scale 31 takes to 2 % below what 1 takes
  --most      macroblocks of a clip at most, for the time it takes; default 60,000
  --reuse     keep the constant-quality encodes under this name, and take those that are kept
  --list      print all encodes, not only a summary of each clip
`;

/** Base scales of the curve of constant quality. */
const CURVE_SCALES = [1, 1.4, 2, 2.8, 4, 5.6, 8, 11, 15, 20, 25, 31];
const MARGIN = 1.02;
/** Of the steps of the scale. */
const FIRST_PICTURES = 4;
const NEARLY_LOSSLESS = 2.5;
const LIMITS = { 1: { percent: 3, db: 0.4 }, 2: { percent: 1, db: 0.2 } };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    clips: { type: 'string' },
    variants: { type: 'string', default: '60,24,noisy,faded' },
    points: { type: 'string', default: '4' },
    preset: { type: 'string', default: 'balanced' },
    gop: { type: 'string', default: '12' },
    most: { type: 'string', default: '60000' },
    reuse: { type: 'string' },
    list: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h' },
  },
});

/** Variants that are not what a clip shows. */
const CHANGES = ['noisy', 'faded'];

/** The frames of each variant of a clip that has enough of them. */
async function* variantsOf(clip) {
  const names = values.variants.split(',');
  const most = Math.max(...names.map(Number).filter(Number.isFinite));
  const seen = new Set();
  for (const name of names) {
    const source = name === 'noisy' ? noisyClipAsY4m(clip, most) : clipAsY4m(clip, most);
    const { frames: all, width, height, fps } = readY4m(await source);
    const macroblocks = Math.ceil(width / 16) * Math.ceil(height / 16);
    const change = CHANGES.includes(name) ? name : undefined;
    const wanted = change ? most : Number(name);
    const frames = all.slice(0, Math.min(wanted, Math.max(6, Math.floor(Number(values.most) / macroblocks))));
    const key = `${change} ${frames.length}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const shown = change === 'faded' ? frames.map(fadedToBlack) : frames;
    yield { name: change ? `${clip.name}, ${change}` : clip.name, frames: shown, width, height, fps };
  }
}

/** A frame of a clip whose second half fades to black, which the last frame is. */
function fadedToBlack(frame, number, { length }) {
  const half = Math.floor(length / 2);
  const part = Math.max(0, (number + 1 - half) / (length - half));
  const moved = (plane, black) => plane.map(pel => Math.round(pel + (black - pel) * part));
  return { ...frame, y: moved(frame.y, 16), u: moved(frame.u, 128), v: moved(frame.v, 128) };
}

/** Encodes with the options; what the tables need of it. */
async function encode({ frames, width, height, fps }, options) {
  const warnings = [];
  const { preset, gop } = values;
  const size = { width, height, frameRate: fps, expectedFrames: frames.length };
  const given = { ...size, preset, gop: Number(gop), threads: 1, estimator: 'cpu-mrmp', ...options };
  const encoder = new Encoder({ ...given, onWarning: warning => warnings.push(warning) });
  for (const frame of frames) await encoder.add(frame);
  await encoder.finish();
  const { statistics, passStatistics } = encoder;
  return { bits: statistics.bits, psnrDb: statistics.psnr.y, passStatistics, warnings };
}

/** Bits of `q: 31` and `q: 1`, and the points of the curve of constant quality. */
async function constantQuality(clip) {
  const measure = async () => {
    const coarsest = await encode(clip, { q: 31 });
    const finest = await encode(clip, { q: 1 });
    const curve = [coarsest, finest];
    for (const scale of CURVE_SCALES) curve.push(await encode(clip, { quality: qualityOfScale(scale) }));
    const points = curve.map(({ bits, psnrDb }) => ({ bits, psnrDb })).sort((a, b) => a.bits - b.bits);
    return { coarsestBits: coarsest.bits, finestBits: finest.bits, points: hull(points) };
  };
  if (values.reuse === undefined) return measure();
  const { name, frames } = clip;
  const key = `rates-${values.reuse}-${values.preset}-${values.gop}-${name.replace(', ', '-')}-${frames.length}`;
  return cached(key, measure);
}

/** The points that no other one of fewer bits equals. */
function hull(points) {
  const best = [];
  for (const point of points) if (point.psnrDb > (best.at(-1)?.psnrDb ?? 0)) best.push(point);
  return best;
}

/**
 * PSNR of constant quality at a size: between two points linear in the logarithm of bits, with their neighbours'
 * slopes.
 */
function psnrAt(points, bits) {
  const x = points.map(point => Math.log(point.bits));
  const at = Math.log(bits);
  const last = points.length - 2;
  const above = x.findIndex(value => value > at);
  const i = Math.max(0, Math.min(last, above < 0 ? last : above - 1));
  const slope = j => (points[j + 1].psnrDb - points[j].psnrDb) / (x[j + 1] - x[j]);
  const tangent = j =>
    j === 0 ? slope(0) : j > last ? slope(last) : (2 * slope(j - 1) * slope(j)) / (slope(j - 1) + slope(j));
  const h = x[i + 1] - x[i];
  const t = (at - x[i]) / h;
  if (t < 0) return points[i].psnrDb + (at - x[i]) * tangent(i);
  if (t > 1) return points[i + 1].psnrDb + (at - x[i + 1]) * tangent(i + 1);
  const [p0, p1, m0, m1] = [points[i].psnrDb, points[i + 1].psnrDb, h * tangent(i), h * tangent(i + 1)];
  return (
    (2 * t ** 3 - 3 * t ** 2 + 1) * p0 +
    (t ** 3 - 2 * t ** 2 + t) * m0 +
    (3 * t ** 2 - 2 * t ** 3) * p1 +
    (t ** 3 - t ** 2) * m1
  );
}

/**
 * The greatest ratio of the picture scales of two neighbouring pictures of a type, in coded order. The first pictures
 * do not count, whose bits are only guessed before, nor do nearly lossless ones.
 */
function largestStep(passStatistics) {
  const last = new Map();
  let largest = 1;
  for (const [index, { type, quantizerScale }] of passStatistics.entries()) {
    const before = last.get(type);
    if (index >= FIRST_PICTURES) last.set(type, quantizerScale);
    if (before === undefined || Math.max(before, quantizerScale) < NEARLY_LOSSLESS) continue;
    largest = Math.max(largest, quantizerScale / before, before / quantizerScale);
  }
  return largest;
}

/** Both numbers of passes at one rate. */
async function measureRate(clip, { points, coarsestBits, finestBits }, wantedBits) {
  const bitrate = Math.round((wantedBits * clip.fps) / clip.frames.length);
  const one = await encode(clip, { bitrate });
  const { passStatistics: firstPass } = await encode(clip, { bitrate, isFirstPass: true });
  const two = await encode(clip, { bitrate, firstPass });
  return [one, two].map(({ bits, psnrDb, passStatistics, warnings }, index) => ({
    ...{ clip: clip.name, pictures: clip.frames.length, bitrate, passes: index + 1 },
    bits,
    psnrDb,
    errorPercent: 100 * ((bits * clip.fps) / clip.frames.length / bitrate - 1),
    psnrLossDb: psnrAt(points, bits) - psnrDb,
    largestStep: largestStep(passStatistics),
    place: Math.log(wantedBits / coarsestBits) / Math.log(finestBits / coarsestBits),
    scales: passStatistics.map(({ type, quantizerScale }) => `${type}${quantizerScale.toFixed(1)}`).join(' '),
    warnings,
  }));
}

async function measureClip(clip) {
  const constant = await constantQuality(clip);
  const count = Number(values.points);
  const mostBits = Math.min(constant.finestBits / MARGIN, (MAX_BIT_RATE * clip.frames.length) / clip.fps);
  const [low, high] = [Math.log(constant.coarsestBits * MARGIN), Math.log(mostBits)];
  const results = [];
  for (let i = 0; i < count; i++) {
    const wantedBits = Math.exp(count === 1 ? (low + high) / 2 : low + ((high - low) * i) / (count - 1));
    results.push(...(await measureRate(clip, constant, wantedBits)));
  }
  return results;
}

const ROW_HEADER = [
  'clip',
  'pictures',
  'kbit/s',
  'passes',
  'error %',
  'PSNR-Y',
  'below constant dB',
  'largest step',
  'warns',
];
function row(result) {
  const { clip, pictures, bitrate, passes, errorPercent, psnrDb, psnrLossDb, largestStep, warnings } = result;
  return [
    ...[clip, pictures, fixed(bitrate / 1000, 1), passes, fixed(errorPercent, 2)],
    ...[fixed(psnrDb, 2), fixed(psnrLossDb, 2), fixed(largestStep, 2), warnings.length > 0 ? 'yes' : 'no'],
  ];
}

/** The worst of each variant of a clip. */
function summary(results) {
  const groups = new Map();
  for (const result of results) {
    const key = [result.clip, result.pictures, result.passes].join();
    groups.set(key, [...(groups.get(key) ?? []), result]);
  }
  const worst = (group, key) => group.reduce((a, b) => (Math.abs(b[key]) > Math.abs(a[key]) ? b : a))[key];
  return [...groups.values()].map(group => {
    const { clip, pictures, passes } = group[0];
    const rates = group.map(({ bitrate }) => bitrate / 1000);
    return [
      ...[clip, pictures, `${fixed(Math.min(...rates), 0)} to ${fixed(Math.max(...rates), 0)}`],
      ...[passes, fixed(worst(group, 'errorPercent'), 2), fixed(Math.max(...group.map(g => g.psnrLossDb)), 2)],
      fixed(Math.max(...group.map(g => g.largestStep)), 2),
    ];
  });
}

async function main() {
  const machine = describeMachine();
  const say = values.json ? () => {} : text => process.stdout.write(`${text}\n`);
  say(`${machineLine(machine)}\npreset ${values.preset}, gop ${values.gop}\n`);
  const results = [];
  for (const listed of listClips(resolve(positionals[0] ?? SEQUENCES), values.clips?.split(','))) {
    for await (const clip of variantsOf(listed)) {
      const ofClip = await measureClip(clip);
      results.push(...ofClip);
      if (values.list) for (const result of ofClip) say(row(result).join('\t'));
    }
  }
  if (values.list) say(`\n${table(ROW_HEADER, results.map(row))}`);
  say(
    `\n${table(['clip', 'pictures', 'kbit/s', 'passes', 'worst error %', 'worst below constant dB', 'largest step'], summary(results))}`,
  );
  for (const passes of [1, 2]) {
    const { percent, db } = LIMITS[passes];
    const some = results.filter(result => result.passes === passes);
    const off = some.filter(({ errorPercent }) => Math.abs(errorPercent) > percent).length;
    const below = some.filter(({ psnrLossDb }) => psnrLossDb > db).length;
    const meanDb = some.reduce((sum, { psnrLossDb }) => sum + psnrLossDb, 0) / some.length;
    say(
      `${passes} pass(es), ${some.length} encodes: ${off} are off by more than ${percent} %, ${below} more than ${db} dB below (mean ${fixed(meanDb, 2)} dB)`,
    );
  }
  mkdirSync(RESULTS, { recursive: true });
  const report = JSON.stringify({ machine, preset: values.preset, gop: values.gop, results }, null, 2);
  writeFileSync(join(RESULTS, 'rates.json'), `${report}\n`);
  if (values.json) process.stdout.write(`${report}\n`);
}

if (values.help) process.stdout.write(USAGE);
else await main();
