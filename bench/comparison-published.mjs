// Published figures of 2006 beside those measured here: ratios, where the hardware differs.
import { OWN_VECTORS, percent } from './comparison-rows.mjs';
import { fixed, table } from './table.mjs';

/** Mazaré, Dugelay, Pacalet: "Using GPU for fast block-matching", EUSIPCO 2006; 640x480, 16x16 blocks. */
const PAPER = {
  gpuRate: 17.5,
  gpuRateOnePredictor: 27.4,
  cpuRate: 1.61,
  gpuToCpu: 10.9,
  encoderWithLog: 6,
  encoderWithGpu: 10,
};

/**
 * Ruane: GPU exhaustive block matching, thesis, 2006; 256x256 luma, 8x8 blocks, +-7. Seconds are for 25 pairs
 * (`gpu`: Radeon X1900XGT, `cpu`: Pentium 4 840D), SAD and PSNR (before, after) those of the first pair; `x1300` and
 * `x1900` are the thesis's ratios of GPU to CPU.
 */
const THESIS = {
  foreman: { x1300: 6.01, x1900: 12.3, gpu: 1.616, cpu: 20.017, sad: [483475, 129894], psnr: [25.454, 36.939] },
  'mother and daughter': {
    x1300: 6.39,
    x1900: 13,
    gpu: 1.497,
    cpu: 20.571,
    sad: [225965, 87451],
    psnr: [30.973, 40.73],
  },
  coastguard: { x1300: 6.03, x1900: 12.8, gpu: 1.55, cpu: 19.688, sad: [796556, 388997], psnr: [21.947, 27.333] },
};

/**
 * The paper's figures beside ours: `rates` in pictures/s by estimator; `speeds` of whole encodes with one coder thread,
 * in pictures/s; rows of `compare --json` by the estimators' own vectors (`own`) and by the defaults (`byDefault`).
 */
export function publishedPaper({ rates, speeds, own, byDefault, clip }) {
  const faster = speeds.gpu ? percent(speeds.gpu / speeds.log - 1, 0) : 'n/a';
  const rows = [
    ['search, GPU, 4 predictors, pictures/s', `${PAPER.gpuRate} (GeForce 6800 GT)`, fixed(rates['gpu-mrmp'], 1)],
    ['the same with one predictor from half to full resolution', PAPER.gpuRateOnePredictor, 'not measured'],
    ['the same search, CPU, pictures/s', `${PAPER.cpuRate} (dual Pentium 4, 3 GHz)`, fixed(rates['cpu-mrmp'], 1)],
    ['GPU to CPU', fixed(PAPER.gpuToCpu, 1), fixed(rates['gpu-mrmp'] / rates['cpu-mrmp'], 1)],
    ['encoder of one thread, logarithmic search, pictures/s', PAPER.encoderWithLog, fixed(speeds.log, 1)],
    ['one coder thread beside the search on the GPU', PAPER.encoderWithGpu, fixed(speeds.gpu, 1)],
    ['gain in speed by it', '65 %', faster],
    ['bits at equal PSNR against logarithmic search', '-10 to -15 %', `${fixed(own['cpu-mrmp'].bdRatePercent, 2)} %`],
    ['the same, with all the candidates of the encoder', '–', `${fixed(byDefault['cpu-mrmp'].bdRatePercent, 2)} %`],
  ];
  return `### Beside the published figures

Published: Mazaré, Dugelay, Pacalet, "Using GPU for fast block-matching", EUSIPCO 2006. The encoder there is the example of the Dali library. Here: the
machine above, ${clip}, whole encodes at q 4 by the estimators' own vectors (\`${OWN_VECTORS.join(' ')}\`), set-up of the GPU included.

${table(['figure', 'published 2006', 'here'], rows)}

- Only ratios carry over: twenty years of hardware lie between the two columns. The CPU rate here is that of one thread with SIMD.
- The paper found its saving in bits on clean pictures, and none on pictures that had been MPEG-2 before; ${clip} is clean.
`;
}

/** The thesis's figures beside ours: reports of `estimate --json`; `gpu` and `plain` may be missing. */
export function publishedStudy({ gpu, simd, plain, clip }) {
  const [first] = simd.perPair;
  const published = Object.values(THESIS);
  const of = (cell, digits) => published.map(sequence => fixed(cell(sequence), digits));
  const pairs = simd.perPair.length;
  const seconds = report => fixed(report && (pairs * report.msPerPair) / 1000, 4);
  const ratio = (slow, fast, digits) => fixed(slow && fast && slow.msPerPair / fast.msPerPair, digits);
  const rows = [
    ['25 pairs on the GPU, s', ...of(({ gpu }) => gpu, 3), seconds(gpu)],
    ['25 pairs on the CPU, s', ...of(({ cpu }) => cpu, 3), `${seconds(simd)} (SIMD), ${seconds(plain)} (plain)`],
    ['GPU to CPU, Radeon X1300', ...of(({ x1300 }) => x1300, 1), 'not measured'],
    ['GPU to CPU', ...of(({ x1900 }) => x1900, 1), `${ratio(simd, gpu, 1)} (SIMD), ${ratio(plain, gpu, 0)} (plain)`],
    [
      'first pair: SAD after to before',
      ...of(({ sad }) => sad[1] / sad[0], 3),
      fixed(first.sadAfter / first.sadBefore, 3),
    ],
    [
      'first pair: gain in PSNR, dB',
      ...of(({ psnr }) => psnr[1] - psnr[0], 1),
      fixed(first.psnrAfter - first.psnrBefore, 1),
    ],
    ['blocks where GPU and CPU agree', '99.965 % of all', '', '', percent(gpu?.agreement)],
  ];
  const header = ['figure', ...Object.keys(THESIS).map(name => `${name}, 2006`), `${clip}, here`];
  return `### Beside the published figures

Published: Ruane, GPU exhaustive block matching, thesis, 2006: the same sizes, range and number of pairs, on a Radeon X1900XGT where nothing else is
said, against a Pentium 4 840D. Here: the machine above.

${table(header, rows)}

- Only ratios carry over. *SIMD* ends comparisons early by exact elimination; *plain* is the readable TypeScript kernel, and so
  nearer to a plain loop of 2006.
- How the thesis made 256×256 pictures of foreman is not known, so its pictures are not ours: sums and dB are of the same order, not equal.
- GPU and CPU agree on every block here, because the contract settles ties.
`;
}

/** What is published for the clips with true motion. */
export const PUBLISHED_TRUTH = `Published, for another method: semi-global matching (Hirschmüller) has 3.06 % of the pels of cones off by more than 1 pel, non-occluded pels
only (Middlebury's table). It finds a disparity for every pel and wants neighbours to agree; a block vector here is chosen by itself. No figure of
block matching on these pairs is known to this project.`;

/** Oliveira, Rodrigues 2016: semi-global matching on CUDA. */
export const PUBLISHED_STEREO = `## Published

Oliveira, Rodrigues 2016 (semi-global matching on CUDA; stereo pairs bull, cones, teddy, venus; C on the CPU; whole program):

| what runs on the GPU       | CPU, GPU in ms, range 32 | speed-up, range 32 | range 64 |
|----------------------------|--------------------------|-------------------:|---------:|
| costs                      | 5190, 5034               |               1.02 |     1.02 |
| + aggregation              | 5192, 454                |               11.1 |     20.9 |
| + sum of views             | 5156, 387                |               13.3 |     23.1 |
| + disparity of least cost  | 5128, 364                |               14.5 |      n/a |

Hirschmüller 2008, bad pels off by more than 1, not occluded: venus 1.00 %, teddy 6.02 %, cones 3.06 %.`;
