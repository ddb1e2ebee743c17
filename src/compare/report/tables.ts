// The tables of the report page.
import type { Comparison } from '../comparison/compare-estimators.js';
import type { EncodeRow, EstimatorRow } from '../comparison/rows.js';
import type { Spread } from '../comparison/spread.js';
import { escapeHtml } from './escape-html.js';
import { seriesColour, shortName } from './series.js';

/** The cell of an unknown figure. */
const NOTHING = '–';

/** The table of estimators, one row each; below it, why some have no figures. */
export function summaryTable({ rows }: Comparison): string {
  const columns = [
    'Search, ms a picture',
    'Search speed',
    'SAD a pel',
    'Agrees with full search',
    'BD-rate',
    'Waiting',
  ];
  const body = rows.map((row, index) =>
    row.outcome === 'finished'
      ? `<tr>${nameCell(row, index)}${figureCells(row)}</tr>`
      : `<tr>${nameCell(row, index)}<td class="reason" colspan="${columns.length}">${OUTCOMES[row.outcome]}</td></tr>`,
  );
  return `<div class="table">${table(['Estimator', ...columns], body)}</div>${reasons(rows)}`;
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

/** The table of all encodes, by quantizer_scale and then by estimator. */
export function encodeTable({ rows, quantizers }: Comparison): string {
  const header = ['q, estimator', 'Pictures/s', 'Bits', 'Vector bits', 'PSNR Y', 'U', 'V', 'All', 'SSIM'];
  const body = quantizers.flatMap(q =>
    rows.flatMap((row, index) =>
      row.encodes.filter(encode => encode.q === q).map(encode => encodeRow(row, encode, index)),
    ),
  );
  return table(header, body);
}

function encodeRow({ estimator }: EstimatorRow, encode: EncodeRow, index: number): string {
  const { q, framesPerSecond, bits, vectorBits, psnr, ssim } = encode;
  const cells = [
    spreadCell(framesPerSecond, 1),
    bits.toLocaleString('en'),
    vectorBits.toLocaleString('en'),
    ...[psnr.y, psnr.u, psnr.v, psnr.all].map(db => (Number.isFinite(db) ? db.toFixed(2) : 'perfect')),
    ssim.all.toFixed(4),
  ];
  return `<tr><td>${q} ${swatch(index)} ${escapeHtml(shortName(estimator))}</td>${cells.map(cell => `<td>${cell}</td>`).join('')}</tr>`;
}

function figureCells({ searchMs, searchSpeedRatio, fields, bdRatePercent, encodes }: EstimatorRow): string {
  const waits = encodes.flatMap(({ waitShare }) => (waitShare ? [waitShare.median] : []));
  const cells = [
    spreadCell(searchMs, 2),
    searchSpeedRatio === undefined ? NOTHING : `${searchSpeedRatio.toFixed(2)}×`,
    fields ? fields.sadPerPelAfter.toFixed(3) : NOTHING,
    fields ? `${(100 * fields.agreement).toFixed(1)} %` : NOTHING,
    bdRatePercent === undefined ? NOTHING : `${bdRatePercent < 0 ? '−' : '+'}${Math.abs(bdRatePercent).toFixed(2)} %`,
    waits.length === 0 ? NOTHING : percentRange(Math.min(...waits), Math.max(...waits)),
  ];
  return cells.map(cell => `<td>${cell}</td>`).join('');
}

function nameCell({ estimator, name, device }: EstimatorRow, index: number): string {
  const ran = [name === estimator ? '' : name, device].filter(text => text !== '').join(', ');
  return `<td class="name">${swatch(index)}${escapeHtml(shortName(estimator))}<small>${escapeHtml(ran)}</small></td>`;
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
