// The motion study of 2006: what full search saves, on GPU and CPU.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { clipAsY4m, listClips, RESULTS, SEQUENCES } from './clips.mjs';
import { publishedStudy } from './comparison-published.mjs';
import { mpegpu, percent, Rows } from './comparison-rows.mjs';
import { runFfmpeg } from './processes.mjs';
import { fixed, table } from './table.mjs';

const STUDY = { clip: 'foreman_cif_150', pairs: 25, side: 256 };

/**
 * The clip of the study. It is made once; a machine that has it needs neither ffmpeg nor the clip that it is cut from.
 */
async function studyClip() {
  const { clip, pairs, side } = STUDY;
  const y4m = join(RESULTS, 'clips', `${clip}-${side}.y4m`);
  if (existsSync(y4m)) return y4m;
  const [source] = listClips(SEQUENCES, [clip]);
  const crop = ['-vf', `crop=${side}:${side}`, '-frames:v', String(pairs + 1), '-pix_fmt', 'yuv420p'];
  await runFfmpeg('-i', await clipAsY4m(source), ...crop, '-f', 'yuv4mpegpipe', y4m);
  return y4m;
}

/** The section: 25 pairs of 256x256 luma, blocks of 8x8, range ±7, as in the study of 2006. */
export async function motionStudy() {
  const lines = new Rows();
  const { clip, pairs, side } = STUDY;
  const y4m = await studyClip();
  const common = [
    'estimate',
    y4m,
    '--gray',
    '--block',
    '8',
    '--range',
    '7',
    '--candidates',
    '1',
    '--against',
    'cpu-full',
  ];
  const variants = [
    ['gpu-full', 'gpu-full', {}],
    ['cpu-full, SIMD', 'cpu-full', {}],
    ['cpu-full, plain TypeScript', 'cpu-full', { MPEGPU_KERNELS: 'reference' }],
    ['cpu-log', 'cpu-log', {}],
    ['cpu-mrmp', 'cpu-mrmp', {}],
    ['gpu-mrmp', 'gpu-mrmp', {}],
  ];
  const results = [];
  for (const [name, estimator, env] of variants) {
    results.push([name, await mpegpu([...common, '--estimator', estimator], env)]);
  }
  const header = [
    'search',
    'SAD before',
    'SAD after',
    'PSNR before',
    'PSNR after',
    'ms a pair',
    'speed',
    'agrees with cpu-full',
  ];
  const simd = results.find(([name]) => name === 'cpu-full, SIMD')[1].report;
  const rows = results.map(([name, result]) =>
    lines.row(header, name, result, report => [
      fixed(report.sadBefore, 0),
      fixed(report.sadAfter, 0),
      fixed(report.psnrBefore, 2),
      fixed(report.psnrAfter, 2),
      fixed(report.msPerPair, 3),
      fixed(simd.msPerPair / report.msPerPair, 3),
      percent(report.agreement),
    ]),
  );
  const gpu = results[0][1].report;
  const pairRows = simd.perPair.map((pair, i) => [
    `${pair.referenceFrame} → ${pair.frame}`,
    fixed(pair.sadBefore, 0),
    fixed(pair.sadAfter, 0),
    fixed(pair.psnrBefore, 2),
    fixed(pair.psnrAfter, 2),
    gpu ? fixed(gpu.perPair[i].msPerPair, 3) : 'n/a',
    fixed(pair.msPerPair, 3),
    gpu ? percent(gpu.perPair[i].agreement) : 'n/a',
  ]);
  const pairHeader = ['pair', 'SAD before', 'SAD after', 'PSNR before', 'PSNR after', 'GPU ms', 'CPU ms', 'agree'];
  return `## The motion study of 2006

${pairs} pairs of neighbouring pictures, ${side}×${side} luma (the middle of ${clip}), blocks of 8×8, range ±7, every search with
the same order of ties. SAD is that of a whole picture, PSNR that of the mean error. The prediction is full-pel. \`speed\` is against
cpu-full on SIMD. A pair is searched at a time; upload and readback are in a GPU's time.

${table(header, rows)}
${lines.missingLine()}
${publishedStudy({ gpu, simd, plain: results[2][1].report, clip: 'foreman' })}
<details><summary>Every pair, full search</summary>

${table(pairHeader, pairRows)}

</details>
`;
}
