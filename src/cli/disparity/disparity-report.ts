// The JSON report and the summary of `disparity`.
import { pngScale } from '../../media/maps/disparity-file.js';
import type { BadPixels } from '../../stereo/disparity-quality.js';
import { printable } from '../failure.js';
import type { DisparityResult } from './disparity-run.js';

/** The object that `disparity --json` prints: times in ms, shares 0..1, errors in pels. */
export function disparityReport(result: DisparityResult): object {
  const { job, settings, format, map, matcher, device, matchMs, stageMs, errors } = result;
  const { range, cost, p1, p2, fill } = settings;
  return {
    width: map.width,
    height: map.height,
    matcher,
    device,
    range,
    cost,
    p1,
    p2,
    filled: fill,
    matched: matchedShare(result),
    matchMs,
    stageMs: stageMs ?? null,
    output: job.output,
    format,
    scale: format === 'png' && !job.colourMap ? pngScale(range) : null,
    badPixels: errors ? { nonOccluded: errors.nonOccluded ?? null, all: errors.all } : null,
  };
}

/** The summary that is printed at the end, several lines. */
export function disparitySummary(result: DisparityResult): string {
  const { job, settings, format, map, matcher, device, matchMs, errors } = result;
  const { range, cost, fill } = settings;
  const scale = format === 'png' && !job.colourMap ? `, ${pngScale(range)} to a pel` : '';
  const bad = (name: string, { above1, above2, meanError }: BadPixels) =>
    `  bad pels  ${percent(above1)} off by more than 1, ${percent(above2)} by more than 2, ` +
    `mean error ${meanError.toFixed(3)} pels (${name})`;
  return [
    `${printable(`${job.left}, ${job.right}`)}: ${map.width}x${map.height}, ${range} disparities, cost ${cost}`,
    `  matcher   ${matcher} (${device}), ${matchMs.toFixed(1)} ms`,
    `  matched   ${percent(matchedShare(result))} of the pels; the others are ${fill ? 'filled' : 'unknown'}`,
    ...(errors?.nonOccluded ? [bad('not occluded', errors.nonOccluded)] : []),
    ...(errors ? [bad('all', errors.all)] : []),
    `  written   ${printable(job.output)} (${format}${scale})`,
    '',
  ].join('\n');
}

/** Share of the pels that were seen in both pictures. */
function matchedShare({ map: { matched } }: DisparityResult): number {
  return matched.reduce((sum, seen) => sum + seen, 0) / matched.length;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)} %`;
}
