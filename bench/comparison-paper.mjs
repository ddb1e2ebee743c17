// The paper of 2006 (EUSIPCO): search rates and whole encodes at 640x480.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEstimator } from '../dist/motion/registry.js';
import { listClips, pingPongAsY4m, readY4m, SEQUENCES } from './clips.mjs';
import { publishedPaper } from './comparison-published.mjs';
import { mpegpu, OWN_VECTORS, outcome, percent, Rows } from './comparison-rows.mjs';
import { median } from './median.mjs';
import { fixed, table } from './table.mjs';

const SPEED = { clip: 'city_704x576', width: 640, height: 480, frames: 150 };

/** Speed of searches at 640x480: as many at the same time as in an encode, one CPU thread. */
async function searchRates(lines) {
  const y4m = await speedClip();
  const { width, height, frames } = readY4m(y4m);
  const header = ['search', 'range', 'pictures/s', 'ms a picture', 'runs on'];
  const variants = [
    ['cpu-log', { x: 64, y: 32 }],
    ['cpu-predictive', { x: 128, y: 64 }],
    ['cpu-mrmp', { x: 64, y: 32 }],
    ['cpu-full', { x: 16, y: 16 }],
    ['cpu-full', { x: 64, y: 32 }],
    ['gpu-mrmp', { x: 64, y: 32 }],
    ['gpu-mrmp', { x: 128, y: 64 }],
    ['gpu-full', { x: 16, y: 16 }],
    ['gpu-full', { x: 64, y: 32 }],
  ];
  const rows = [];
  const rates = {};
  for (const [name, range] of variants) {
    const label = `±${range.x}×±${range.y}`;
    try {
      const { rate, device } = await searchRate(name, { width, height, range }, frames);
      rates[name] ??= rate; // the paper's range comes first
      rows.push([name, label, fixed(rate, 1), fixed(1000 / rate, 3), device]);
    } catch (error) {
      rows.push([name, label, ...lines.row(header, name, { reason: error.message.split(';')[0] }).slice(2)]);
    }
  }
  return { header, rows, rates };
}

async function searchRate(name, { width, height, range }, frames) {
  const parameters = { width, height, range, metric: 'sad', blockSize: 16, candidatesPerBlock: 4, lambda: 0 };
  const { estimator } = await createEstimator(name, parameters);
  try {
    const window = estimator.traits.runsOn === 'gpu' ? 16 : 1;
    let id = 0;
    const pictures = () => ({ id, width, height, pels: frames[pingPong(id++, frames.length)].y });
    const pass = async count => {
      const running = new Set();
      let reference = pictures();
      const begin = performance.now();
      for (let i = 0; i < count; i++) {
        const current = pictures();
        const search = estimator.estimate({ current, reference }).then(() => running.delete(search));
        running.add(search);
        if (running.size >= window) await Promise.race(running);
        reference = current;
      }
      await Promise.all(running);
      return (1000 * count) / (performance.now() - begin);
    };
    const first = await pass(8);
    const count = Math.max(16, Math.min(2000, Math.round(first))); // about a second
    const rates = [];
    for (let i = 0; i < 3; i++) rates.push(await pass(count));
    return { rate: rates.sort((a, b) => a - b)[1], device: estimator.device };
  } finally {
    await estimator.close();
  }
}

function pingPong(i, length) {
  const at = i % (2 * length - 2);
  return at < length ? at : 2 * length - 2 - at;
}

async function speedClip() {
  const [clip] = existsSync(SEQUENCES) ? listClips(SEQUENCES, [SPEED.clip]) : [{ name: SPEED.clip }];
  return pingPongAsY4m(clip, SPEED);
}

/**
 * What the paper compares: one thread that searches logarithmically itself, and one coder thread beside the GPU's
 * search. Both by their own vectors, at q 4; medians of `runs` encodes in turn, in pictures/s. The second may be
 * undefined.
 */
async function oneCoderThread(y4m, runs) {
  const folder = mkdtempSync(join(tmpdir(), 'paper-'));
  const output = ['-o', join(folder, 'out.m1v'), '--overwrite', '--q', '4', '--threads', '1', ...OWN_VECTORS];
  const variants = { log: ['--estimator', 'cpu-log'], gpu: ['--estimator', 'gpu-mrmp'] };
  const speeds = { log: [], gpu: [] };
  for (let i = 0; i < runs; i++) {
    for (const [name, arguments_] of Object.entries(variants)) {
      const { report } = await mpegpu(['encode', y4m, ...output, ...arguments_]);
      if (report) speeds[name].push(report.fps);
    }
  }
  rmSync(folder, { recursive: true });
  return { log: median(speeds.log), gpu: median(speeds.gpu) };
}

/** Whole encodes at 640x480: speed, and bits at equal PSNR against the logarithmic search. */
export async function eusipco(repeat) {
  const lines = new Rows();
  const rates = await searchRates(lines);
  const y4m = await speedClip();
  process.stderr.write('one coder thread\n');
  const speeds = await oneCoderThread(y4m, Math.max(3, repeat));
  // Not cpu-full: gpu-full finds the same in a hundredth of the time.
  const compared = ['cpu-log', 'cpu-predictive', 'cpu-mrmp', 'gpu-mrmp', 'gpu-full'];
  const args = ['compare', y4m, '--estimators', compared.join(','), '--repeat', String(repeat)];
  const blocks = [];
  const reports = [];
  for (const [title, more] of [
    ['Whole encodes, P pictures only, decisions by SAD', ['--preset', 'fast', '--bframes', '0']],
    ['Whole encodes, the defaults', []],
    ["Whole encodes, the estimator's vectors alone", OWN_VECTORS],
  ]) {
    const { report, reason } = await mpegpu([...args, ...more]);
    if (!report) throw new Error(reason);
    reports.push(Object.fromEntries(report.estimators.map(row => [row.estimator, row])));
    const header = [
      'estimator',
      'pictures/s at q 4',
      'speed',
      'waiting',
      'search ms',
      'bits at q 4',
      'PSNR-Y at q 4',
      'BD-rate',
    ];
    const q4 = row => row.encodes.find(({ q }) => q === 4);
    const first = q4(report.estimators[0]);
    const rows = report.estimators.map(row =>
      lines.row(header, row.estimator, outcome(row), () => [
        spread(q4(row).fps, 1),
        fixed(q4(row).fps.median / first.fps.median, 2),
        percent(q4(row).waitShare.median),
        spread(row.searchMs, 2),
        q4(row).bits,
        fixed(q4(row).psnr.y, 2),
        `${fixed(row.bdRatePercent, 2)} %`,
      ]),
    );
    blocks.push(
      `### ${title}\n\n\`mpegpu compare CLIP --estimators ${[compared.join(','), ...more].join(' ')}\`\n\n${table(header, rows)}`,
    );
  }
  return `## The paper of 2006 (EUSIPCO)

${SPEED.clip}, scaled to ${SPEED.width}×${SPEED.height} and played to and fro, ${SPEED.frames} pictures.

### Search rate

16×16 blocks, 4 candidates, SAD. CPU: one thread, one picture after another. GPU: up to 16 pictures under way, upload and
readback included. Median of three runs.

${table(rates.header, rates.rows)}

${blocks.join('\n\n')}
${lines.missingLine()}
Speeds: ${repeat === 1 ? 'one run' : `medians of ${repeat} runs in turn, with the least and the greatest`}. BD-rate is bits at equal PSNR-Y against cpu-log at q 2, 4, 8, 14; less
is better. All motion of source pictures is the estimator's: picture types, the macroblock tree and the coder's candidates are made of it.

${publishedPaper({ rates: rates.rates, speeds, own: reports[2], byDefault: reports[1], clip: SPEED.clip })}`;
}

function spread({ median, least, greatest }, digits) {
  const extremes = least === greatest ? '' : ` (${fixed(least, digits)}–${fixed(greatest, digits)})`;
  return `${fixed(median, digits)}${extremes}`;
}
