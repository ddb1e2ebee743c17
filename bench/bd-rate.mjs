// Measures the BD-rate of mpegpu against ffmpeg's mpeg1video.
// Bits are those of the elementary stream, PSNR-Y is that of what ffmpeg decodes from it. Both encoders get the same
// y4m files. The main figure is cubic with four values or more, else pchip; the last table has all methods.
import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { BD_METHODS, bdRate, MIN_POINTS } from '../dist/compare/quality/bd-rate.js';
import { SequenceQuality } from '../dist/compare/quality/sequence-quality.js';
import { cached, clipAsY4m, decode, fileIdentity, listClips, RESULTS, readY4m, SEQUENCES } from './clips.mjs';
import { describeMachine, machineLine } from './machine.mjs';
import { ffmpegVersion, runEncode, runFfmpeg, turns, words } from './processes.mjs';
import { fixed, table } from './table.mjs';

const USAGE = `usage: node bench/bd-rate.mjs [folder] [--clips a,b] [--frames N] [--qs 2,4,8,14] [--qualities 80,60,40,24] [--args "..."]
       [--ffmpeg-args "..."] [--jobs 1] [--no-cache] [--json]

  folder         video files and folders of images; default ../shared/sequences
  --qualities    encode with mpegpu at these --quality values instead of --q; as many as --qs has for ffmpeg
  --args         more arguments for mpegpu encode, after --q Q --gop 12
  --ffmpeg-args  the anchor's arguments besides -q:v Q; default "-g 12 -bf 0 -threads 1"
  --jobs         encodes at a time; with more than one the speeds mean nothing
  --no-cache     measure ffmpeg again, even if there is a result for the same clip and arguments
  --json         print the report as JSON; it is always written to bench/results/bd-rate.json
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    clips: { type: 'string' },
    frames: { type: 'string' },
    qs: { type: 'string', default: '2,4,8,14' },
    qualities: { type: 'string' },
    args: { type: 'string', default: '' },
    'ffmpeg-args': { type: 'string', default: '-g 12 -bf 0 -threads 1' },
    jobs: { type: 'string', default: '1' },
    'no-cache': { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h' },
  },
});

const scratch = join(RESULTS, `bd-rate-${process.pid}`);
const inTurn = turns(Number(values.jobs));

async function main() {
  const folder = resolve(positionals[0] ?? SEQUENCES);
  const qs = values.qs.split(',').map(Number);
  const frames = values.frames === undefined ? undefined : Number(values.frames);
  const machine = describeMachine();
  const say = values.json ? () => {} : text => process.stdout.write(`${text}\n`);
  say(`${machineLine(machine)}\nmpegpu encode --gop 12 ${values.args} against ffmpeg ${values['ffmpeg-args']}\n`);
  mkdirSync(scratch, { recursive: true });
  const results = listClips(folder, values.clips?.split(',')).map(clip => measureClip(clip, qs, frames));
  for (const result of results) result.catch(() => {}); // told below, in order
  const clips = [];
  for (const result of results) {
    clips.push(await result);
    say(`${clipTable(clips.at(-1))}\n`);
  }
  if (clips.length === 0) throw new Error(`${folder} holds no clips`);
  const mean = clips.reduce((sum, { bdRatePercent }) => sum + bdRatePercent, 0) / clips.length;
  const meanBdRatesPercent = Object.fromEntries(
    BD_METHODS.map(method => {
      const sum = clips.reduce((total, { bdRatesPercent }) => total + (bdRatesPercent[method] ?? Number.NaN), 0);
      return [method, Number.isNaN(sum) ? null : sum / clips.length];
    }),
  );
  say(
    table(
      ['clip', 'BD-rate %', ...BD_METHODS],
      [
        ...clips.map(({ clip, bdRatePercent, bdRatesPercent }) => [clip, bdRatePercent, ...rates(bdRatesPercent)]),
        ['mean', mean, ...rates(meanBdRatesPercent)],
      ].map(([clip, ...figures]) => [clip, ...figures.map(figure => fixed(figure, 2))]),
    ),
  );
  const means = { meanBdRatePercent: mean, meanBdRatesPercent };
  const report = { machine, qs, args: values.args, ffmpegArgs: values['ffmpeg-args'], clips, ...means };
  writeFileSync(join(RESULTS, 'bd-rate.json'), `${JSON.stringify(report, null, 2)}\n`);
  if (values.json) process.stdout.write(`${JSON.stringify(report)}\n`);
}

/** Both curves of a clip and their BD-rate. */
async function measureClip(clip, qs, frames) {
  const y4m = await inTurn(() => clipAsY4m(clip, frames));
  const original = readY4m(y4m);
  const points = qs.map(async q => {
    const stream = join(scratch, `${clip.name}-${q}.m1v`);
    const ffmpeg = await inTurn(() => measureFfmpeg(y4m, original, q, stream));
    const mpegpu = await inTurn(() => measureMpegpu(y4m, original, pointArgs(q, qs), stream));
    return { ffmpeg: { q, ...ffmpeg }, mpegpu: { q, ...mpegpu } };
  });
  const measured = await Promise.all(points);
  const mpegpu = measured.map(point => point.mpegpu);
  const ffmpeg = measured.map(point => point.ffmpeg);
  const curve = points => points.map(({ bits, psnrY }) => ({ bits, quality: psnrY }));
  const interpolation = qs.length < MIN_POINTS.cubic ? 'pchip' : 'cubic';
  const bdRatesPercent = Object.fromEntries(
    BD_METHODS.map(method => [
      method,
      qs.length < MIN_POINTS[method] ? null : bdRate(curve(ffmpeg), curve(mpegpu), method),
    ]),
  );
  return {
    clip: clip.name,
    width: original.width,
    height: original.height,
    frames: original.frames.length,
    mpegpu,
    ffmpeg,
    interpolation,
    bdRatePercent: bdRatesPercent[interpolation],
    bdRatesPercent,
  };
}

/** BD-rates in the order of the methods; NaN for one that takes more values. */
function rates(bdRatesPercent) {
  return BD_METHODS.map(method => bdRatesPercent[method] ?? Number.NaN);
}

/** mpegpu's arguments for the point of its curve that belongs to ffmpeg's quantizer. */
function pointArgs(q, qs) {
  if (values.qualities === undefined) return ['--q', String(q)];
  const qualities = words(values.qualities.replaceAll(',', ' '));
  if (qualities.length !== qs.length) throw new Error(`${qualities.length} qualities for ${qs.length} quantizers`);
  return ['--quality', qualities[qs.indexOf(q)]];
}

async function measureMpegpu(y4m, original, args, stream) {
  const report = await runEncode(y4m, stream, [...args, '--gop', '12', ...words(values.args)]);
  const bits = statSync(stream).size * 8;
  if (report.bits !== bits) throw new Error(`mpegpu reports ${report.bits} bits, its elementary stream has ${bits}`);
  return { bits, seconds: report.seconds, ...(await measureStream(stream, original)) };
}

/** ffmpeg's point of a clip; the result of an earlier run with the same clip, arguments and version if there is one. */
async function measureFfmpeg(y4m, original, q, stream) {
  const args = ['-c:v', 'mpeg1video', '-q:v', String(q), ...words(values['ffmpeg-args'])];
  const key = createHash('sha256')
    .update(JSON.stringify([fileIdentity(y4m), args, ffmpegVersion()]))
    .digest('hex');
  const measure = async () => {
    const { seconds } = await runFfmpeg('-i', y4m, ...args, '-f', 'mpeg1video', stream);
    return { bits: statSync(stream).size * 8, seconds, ...(await measureStream(stream, original)) };
  };
  return values['no-cache'] ? measure() : cached(`ffmpeg-${key.slice(0, 24)}`, measure);
}

/** PSNR-Y of a stream's decoded pictures, and PSNR of all planes, from the mean error over the sequence. */
async function measureStream(stream, original) {
  const decoded = await decode(stream, original.width, original.height);
  if (decoded.length !== original.frames.length) {
    throw new Error(`${stream} decodes to ${decoded.length} pictures instead of ${original.frames.length}`);
  }
  const quality = new SequenceQuality();
  for (const [i, frame] of decoded.entries()) quality.add(original.frames[i], frame);
  return { psnrY: quality.psnr().y, psnrAll: quality.psnr().all };
}

function clipTable({ clip, width, height, frames, mpegpu, ffmpeg, bdRatePercent }) {
  const rows = mpegpu.map((ours, i) => {
    const theirs = ffmpeg[i];
    const bits = [ours.bits, theirs.bits, fixed(((ours.bits - theirs.bits) / theirs.bits) * 100, 2)];
    return [ours.q, ...bits, fixed(ours.psnrY, 3), fixed(theirs.psnrY, 3), fixed(ours.psnrY - theirs.psnrY, 3)];
  });
  const header = ['q', 'bits', 'ffmpeg bits', 'bits %', 'PSNR-Y', 'ffmpeg PSNR-Y', 'PSNR-Y dB'];
  return `${clip}, ${width}x${height}, ${frames} frames: BD-rate ${fixed(bdRatePercent, 2)} %\n${table(header, rows)}`;
}

if (values.help) {
  process.stdout.write(USAGE);
} else {
  await main().finally(() => rmSync(scratch, { recursive: true, force: true }));
}
