// The tables that `compare` prints for people.

import type { Comparison } from '../../compare/comparison/compare-estimators.js';
import { settingText } from '../../compare/comparison/compared-rates.js';
import type { EncodeRow, EstimatorRow } from '../../compare/comparison/rows.js';
import type { Spread } from '../../compare/comparison/spread.js';
import { BD_METHODS } from '../../compare/quality/bd-rate.js';
import { counted } from '../../counted.js';
import { psnrText } from '../../encode-files/psnr-text.js';
import { printable } from '../failure.js';
import type { CompareResult } from './compare-result.js';

/** Stands for a figure that is not known. */
const UNKNOWN = '-';

/** All tables, and notes about what is missing. */
export function compareTables({ input, comparison, origin, report, csv }: CompareResult): string {
  const { width, height, frames, settings, runs, rows, interrupted, vmafLeftOut } = comparison;
  const { machine } = origin;
  const blocks = [
    `${printable(input)}: ${frames} frames, ${width}x${height}; ${counted(runs, 'timed run')}${runs === 1 ? '' : ' in turn, median (least..greatest)'}`,
    summaryTable(comparison),
    bdRateTable(comparison),
    ...settings.values.map(value => encodeTable(comparison, value)),
    ...unavailable(rows),
    ...(vmafLeftOut === undefined ? [] : [`VMAF is left out: ${vmafLeftOut}`]),
    ...(interrupted ? ['interrupted: what was not finished is missing'] : []),
    `Times are of this machine (${machine.cpu}, ${counted(machine.threads, 'thread')}): only their ratios mean something elsewhere.`,
    ...(report === undefined ? [] : [`report: ${printable(report)}`]),
    ...(csv === undefined ? [] : [`pictures: ${printable(csv)}`]),
  ];
  return `${blocks.filter(block => block !== '').join('\n\n')}\n`;
}

function summaryTable({ rows, vmafLeftOut }: Comparison): string {
  const byVmaf = vmafLeftOut === undefined;
  const rates = ['BD-rate', 'by SSIM', ...(byVmaf ? ['by VMAF'] : [])];
  return layOut(
    ['estimator', 'search ms/picture', 'speed', 'SAD/pel', 'agrees', ...rates, 'runs on'],
    rows.map(row => [
      row.estimator,
      spreadText(row.searchMs, 2),
      row.searchSpeedRatio === undefined ? UNKNOWN : `${row.searchSpeedRatio.toFixed(2)}x`,
      row.fields ? row.fields.sadPerPelAfter.toFixed(3) : UNKNOWN,
      row.fields ? `${(100 * row.fields.agreement).toFixed(1)} %` : UNKNOWN,
      bdRateText(row.bdRatePercent),
      bdRateText(row.bdRateSsimPercent),
      ...(byVmaf ? [bdRateText(row.bdRateVmafPercent)] : []),
      row.device === '' ? UNKNOWN : `${row.name === row.estimator ? '' : `${row.name}, `}${row.device}`,
    ]),
  );
}

/** BD-rates of all methods; none where no curves could be compared. */
function bdRateTable({ rows, vmafLeftOut }: Comparison): string {
  const qualities = vmafLeftOut === undefined ? (['psnr', 'ssim', 'vmaf'] as const) : (['psnr', 'ssim'] as const);
  const ratesOf = ({ bdRates }: EstimatorRow) =>
    qualities.flatMap(quality => BD_METHODS.map(method => bdRates[quality][method]));
  if (rows.every(row => ratesOf(row).every(rate => rate === undefined))) return '';
  return layOut(
    ['BD-rate by', ...qualities.flatMap(quality => BD_METHODS.map(method => `${quality.toUpperCase()} ${method}`))],
    rows.map(row => [row.estimator, ...ratesOf(row).map(bdRateText)]),
  );
}

function encodeTable({ settings: { option }, rows, vmafLeftOut }: Comparison, value: number): string {
  const encodes = rows.flatMap(row =>
    row.encodes.filter(encode => encode.value === value).map(encode => [row.estimator, encode] as const),
  );
  if (encodes.length === 0) return '';
  const header = ['frames/s', 'waiting', 'bits', 'vector bits', 'PSNR Y', 'U', 'V', 'all', 'SSIM'];
  const byVmaf = vmafLeftOut === undefined;
  return layOut(
    [settingText(option, value), ...header, ...(byVmaf ? ['VMAF'] : [])],
    encodes.map(([estimator, encode]) => [
      ...encodeCells(estimator, encode),
      ...(byVmaf ? [encode.vmaf?.toFixed(2) ?? UNKNOWN] : []),
    ]),
  );
}

function encodeCells(estimator: string, encode: EncodeRow): string[] {
  const { framesPerSecond, waitShare, bits, vectorBits, psnr, ssim } = encode;
  return [
    estimator,
    spreadText(framesPerSecond, 1),
    waitShare ? `${(100 * waitShare.median).toFixed(1)} %` : UNKNOWN,
    String(bits),
    String(vectorBits),
    ...[psnr.y, psnr.u, psnr.v, psnr.all].map(psnrText),
    ssim.all.toFixed(4),
  ];
}

function unavailable(rows: readonly EstimatorRow[]): string[] {
  return rows
    .filter(({ outcome }) => outcome !== 'finished')
    .map(({ estimator, outcome, reason }) => `${estimator} ${outcome}: ${reason?.replace(`${estimator}: `, '')}`);
}

function spreadText(spread: Spread | undefined, digits: number): string {
  if (!spread) return UNKNOWN;
  const [median, least, greatest] = [spread.median, spread.least, spread.greatest].map(value => value.toFixed(digits));
  return least === greatest ? median! : `${median} (${least}..${greatest})`;
}

/** Rows in aligned columns: the first and the last column to the left, the others to the right. */
function layOut(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...lines.map(line => line[column]!.length)));
  const isLeft = (column: number) => column === 0 || header[column] === 'runs on';
  return lines
    .map(line =>
      line
        .map((cell, column) => (isLeft(column) ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function bdRateText(percent: number | undefined): string {
  return percent === undefined ? UNKNOWN : `${percent >= 0 ? '+' : ''}${percent.toFixed(2)} %`;
}
