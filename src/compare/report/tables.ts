// The tables of the report page.
import type { Comparison } from '../comparison/compare-estimators.js';
import { settingText } from '../comparison/compared-rates.js';
import type { EncodeRow, EstimatorRow } from '../comparison/rows.js';
import type { Spread } from '../comparison/spread.js';
import { BD_METHODS } from '../quality/bd-rate.js';
import { escapeHtml } from './escape-html.js';
import { seriesColour, shortName } from './series.js';

/** The cell of an unknown figure. */
const NOTHING = '–';

/** The table of estimators, one row each; below it, why some have no figures. */
export function summaryTable({ rows, vmafLeftOut }: Comparison): string {
  const byVmaf = vmafLeftOut === undefined;
  const columns = [
    'Search, ms a picture',
    'Search speed',
    'SAD a pel',
    'Agrees with full search',
    'BD-rate',
    'BD-rate, SSIM',
    ...(byVmaf ? ['BD-rate, VMAF'] : []),
    'Waiting',
  ];
  const body = rows.map((row, index) =>
    row.outcome === 'finished'
      ? `<tr>${nameCell(row, index)}${figureCells(row, byVmaf)}</tr>`
      : `<tr>${nameCell(row, index)}<td class="reason" colspan="${columns.length}">${OUTCOMES[row.outcome]}</td></tr>`,
  );
  return `<div class="table" tabindex="0" role="group" aria-label="Estimators">${table(['Estimator', ...columns], body)}</div>${reasons(rows)}`;
}

const OUTCOMES = { unsupported: 'not supported here', failed: 'failed' };

/** Why some rows have no figures. */
function reasons(rows: readonly EstimatorRow[]): string {
  const paragraphs = rows
    .filter(({ outcome }) => outcome !== 'finished')
    .map(({ estimator, reason = '' }) => {
      const why = reason.startsWith(`${estimator}: `) ? reason.slice(estimator.length + 2) : reason;
      return `<p><b>${escapeHtml(shortName(estimator))}</b> ${escapeHtml(why)}</p>`;
    });
  return paragraphs.length === 0 ? '' : `<div class="reasons">${paragraphs.join('')}</div>`;
}

const QUALITY_NAMES = { psnr: 'PSNR', ssim: 'SSIM', vmaf: 'VMAF' } as const;

/** The table of BD-rates, by each quality that was measured and by each method. */
export function bdRateTable({ rows, vmafLeftOut }: Comparison): string {
  const qualities = vmafLeftOut === undefined ? (['psnr', 'ssim', 'vmaf'] as const) : (['psnr', 'ssim'] as const);
  const header = qualities.flatMap(quality => BD_METHODS.map(method => `${QUALITY_NAMES[quality]}, ${method}`));
  const body = rows.map((row, index) => {
    const rates = qualities.flatMap(quality => BD_METHODS.map(method => bdRateText(row.bdRates[quality][method])));
    return `<tr>${nameCell(row, index)}${rates.map(rate => `<td>${rate}</td>`).join('')}</tr>`;
  });
  return table(['BD-rate by', ...header], body);
}

/** The table of all encodes, by setting and then by estimator. */
export function encodeTable({ rows, settings, vmafLeftOut }: Comparison): string {
  const byVmaf = vmafLeftOut === undefined;
  const quality = ['PSNR Y', 'U', 'V', 'All', 'SSIM', ...(byVmaf ? ['VMAF'] : [])];
  const header = ['Encode', 'Pictures/s', 'Bits', 'Vector bits', ...quality];
  const body = settings.values.flatMap(value =>
    rows.flatMap((row, index) =>
      row.encodes
        .filter(encode => encode.value === value)
        .map(encode => encodeRow({ row, index, encode, byVmaf }, settingText(settings.option, value))),
    ),
  );
  return table(header, body);
}

interface EncodeCells {
  readonly row: EstimatorRow;
  /** Number of the estimator, which gives its colour. */
  readonly index: number;
  readonly encode: EncodeRow;
  /** Whether there is a column of VMAF. */
  readonly byVmaf: boolean;
}

function encodeRow({ row: { estimator }, index, encode, byVmaf }: EncodeCells, setting: string): string {
  const { framesPerSecond, bits, vectorBits, psnr, ssim, vmaf } = encode;
  const cells = [
    spreadCell(framesPerSecond, 1),
    bits.toLocaleString('en'),
    vectorBits.toLocaleString('en'),
    ...[psnr.y, psnr.u, psnr.v, psnr.all].map(db => (Number.isFinite(db) ? db.toFixed(2) : 'perfect')),
    ssim.all.toFixed(4),
    ...(byVmaf ? [vmaf?.toFixed(2) ?? NOTHING] : []),
  ];
  return `<tr><th scope="row">${setting} ${swatch(index)} ${escapeHtml(shortName(estimator))}</th>${cells.map(cell => `<td>${cell}</td>`).join('')}</tr>`;
}

function figureCells(row: EstimatorRow, byVmaf: boolean): string {
  const { searchMs, searchSpeedRatio, fields, bdRatePercent, bdRateSsimPercent, encodes } = row;
  const waits = encodes.flatMap(({ waitShare }) => (waitShare ? [waitShare.median] : []));
  const cells = [
    spreadCell(searchMs, 2),
    searchSpeedRatio === undefined ? NOTHING : `${searchSpeedRatio.toFixed(2)}×`,
    fields ? fields.sadPerPelAfter.toFixed(3) : NOTHING,
    fields ? `${(100 * fields.agreement).toFixed(1)} %` : NOTHING,
    bdRateText(bdRatePercent),
    bdRateText(bdRateSsimPercent),
    ...(byVmaf ? [bdRateText(row.bdRateVmafPercent)] : []),
    waits.length === 0 ? NOTHING : percentRange(Math.min(...waits), Math.max(...waits)),
  ];
  return cells.map(cell => `<td>${cell}</td>`).join('');
}

function bdRateText(percent: number | undefined): string {
  return percent === undefined ? NOTHING : `${percent < 0 ? '−' : '+'}${Math.abs(percent).toFixed(2)} %`;
}

function nameCell({ estimator, name, device }: EstimatorRow, index: number): string {
  const ran = [name === estimator ? '' : name, device].filter(text => text !== '').join(', ');
  return `<th scope="row" class="name">${swatch(index)}${escapeHtml(shortName(estimator))}<small>${escapeHtml(ran)}</small></th>`;
}

function percentRange(min: number, max: number): string {
  const [from, to] = [min, max].map(share => (100 * share).toFixed(0));
  return from === to ? `${to} %` : `${from}–${to} %`;
}

function swatch(index: number): string {
  return `<span class="swatch" style="--colour:${seriesColour(index)};display:inline-block"></span>`;
}

function spreadCell(spread: Spread | undefined, digits: number): string {
  if (!spread) return NOTHING;
  const [median, min, max] = [spread.median, spread.least, spread.greatest].map(value => value.toFixed(digits));
  return min === max ? median! : `${median} <small>${min}–${max}</small>`;
}

function table(header: readonly string[], body: readonly string[]): string {
  const head = header.map(cell => `<th scope="col">${cell}</th>`).join('');
  return `<table><thead><tr>${head}</tr></thead><tbody>${body.join('\n')}</tbody></table>`;
}
