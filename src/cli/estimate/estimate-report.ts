// The JSON report and the summary of `estimate`.
import { counted } from '../../counted.js';
import { printable } from '../failure.js';
import type { EstimateResult } from './estimate-run.js';
import { type PairEntry, summaryFigures } from './pair-entry.js';

/** The object that `estimate --json` prints. Times are in ms, PSNR is in dB. */
export function estimateReport(result: EstimateResult): object {
  const { job, width, height, estimator, pairs, total, interrupted } = result;
  const { blockSize, range, metric, candidatesPerBlock } = job.search;
  const { endpointError, badPixels } = pairs[0] ?? {};
  return {
    pairs: pairs.length,
    ...summaryFigures(total, job.gray),
    estimator: estimator.estimator.traits.name,
    device: estimator.estimator.device,
    passedOver: estimator.passedOver,
    against: job.against ?? null,
    width,
    height,
    block: blockSize,
    range,
    metric,
    candidates: candidatesPerBlock,
    reference: job.reference,
    gray: job.gray,
    ...(endpointError && { endpointError }),
    ...(badPixels && { badPixels }),
    interrupted,
    perPair: pairs.map(pair => pairJson(pair, job.gray)),
  };
}

function pairJson(pair: PairEntry, gray: boolean): object {
  return { frame: pair.frame, referenceFrame: pair.referenceFrame, ...summaryFigures(pair, gray) };
}

/** The summary that is printed at the end, several lines. */
export function estimateSummary(result: EstimateResult): string {
  const { job, width, height, estimator, pairs, total } = result;
  const { msPerPair, agreement, sadBefore, sadAfter, psnrBefore, psnrAfter } = summaryFigures(total, job.gray);
  const { blockSize, range } = job.search;
  const { endpointError, badPixels } = pairs[0] ?? {};
  const reach = range === 'picture' ? 'the whole picture' : `${range.x}x${range.y} pels`;
  const percent = (share: number): string => `${(100 * share).toFixed(2)} %`;
  const planes = job.gray ? 'luma' : 'all planes';
  return [
    `${printable(job.input)}: ${counted(pairs.length, 'pair')} of ${width}x${height}, blocks of ${blockSize}, range ${reach}`,
    `  estimator ${estimator.estimator.traits.name} (${estimator.estimator.device})`,
    ...estimator.passedOver.map(({ name, reason }) => `            not ${name}: ${reason.replace(`${name}: `, '')}`),
    `  search    ${msPerPair.toFixed(2)} ms a pair`,
    `  SAD       ${sadBefore.toFixed(0)} -> ${sadAfter.toFixed(0)} a pair (${planes})`,
    `  PSNR      ${psnrBefore.toFixed(2)} -> ${psnrAfter.toFixed(2)} dB (${planes})`,
    ...(agreement === null ? [] : [`  agreement ${percent(agreement)} of the vectors are those of ${job.against}`]),
    ...(endpointError
      ? [
          `  endpoint  mean ${endpointError.mean.toFixed(3)}, median ${endpointError.median.toFixed(3)} pels; ` +
            `above 1 pel ${percent(endpointError.above1)}, above 3 ${percent(endpointError.above3)}; ` +
            `Fl-all ${percent(endpointError.flAll)}`,
        ]
      : []),
    ...(badPixels
      ? [
          `  disparity bad pixels: ${percent(badPixels.above1)} off by more than 1, ${percent(badPixels.above2)} by more than 2; ` +
            `mean error ${badPixels.meanError.toFixed(3)} pels`,
        ]
      : []),
    '',
  ].join('\n');
}
