// Plots of compression: rate and distortion, bits at equal quality, search time against bits.
import * as Plot from '@observablehq/plot';
import type { Comparison } from '../../comparison/compare-estimators.js';
import { settingText } from '../../comparison/compared-rates.js';
import type { EncodeRow } from '../../comparison/rows.js';
import { type ColouredRow, shortName } from '../series.js';
import { dotMark, logOrLinear, plotFigure, type ReportPlot } from './plot-figure.js';
import type { QualityMeasure } from './quality-measures.js';

/** A quality over bit rate, a curve for each estimator; undefined without data. */
export function rateDistortionPlot(
  comparison: Comparison,
  rows: readonly ColouredRow[],
  measure: QualityMeasure,
): ReportPlot | undefined {
  const { settings, framesPerSecond, frames } = comparison;
  const points = rows.flatMap(({ row, colour }) =>
    row.encodes
      .map(encode => ({
        estimator: row.estimator,
        colour,
        setting: settingText(settings.option, encode.value),
        kbits: (encode.bits * framesPerSecond) / frames / 1000,
        quality: measure.ofEncode(encode),
      }))
      .filter(({ quality }) => Number.isFinite(quality)),
  );
  if (points.length === 0) return undefined;
  const channels = { x: 'kbits', y: 'quality', z: 'estimator' } as const;
  const note = 'Further up and left is better.';
  const title = `Rate and distortion, ${measure.name}`;
  return plotFigure({ id: `rate-distortion${measure.id}`, title, note }, () => ({
    x: { ...logOrLinear(points.map(({ kbits }) => kbits)), label: 'kbit/s →', grid: true },
    y: { label: `↑ ${measure.axis}`, grid: true, ...ticksFor(measure, points) },
    marks: [
      Plot.line(points, { ...channels, sort: 'kbits', stroke: d => d.colour, strokeWidth: 2, strokeOpacity: 0.9 }),
      dotMark(
        points,
        { ...channels, r: 4 },
        d => `${d.estimator}, ${d.setting}\n${d.kbits.toFixed(1)} kbit/s\n${measure.text(d.quality)}`,
      ),
    ],
  }));
}

/** Difference in bits from the first estimator's curve: the curves themselves mostly lie too close together. */
export function savingPlot(
  { settings }: Comparison,
  rows: readonly ColouredRow[],
  measure: QualityMeasure,
): ReportPlot | undefined {
  const anchor = rows[0]!.row;
  const points = rows.flatMap(({ row, colour }) =>
    row.encodes.flatMap(encode => {
      const quality = measure.ofEncode(encode);
      const anchorBits = bitsAt(anchor.encodes, quality, measure);
      const setting = settingText(settings.option, encode.value);
      return anchorBits === undefined
        ? []
        : [{ estimator: row.estimator, colour, setting, quality, percent: 100 * (encode.bits / anchorBits - 1) }];
    }),
  );
  if (points.length === 0) return undefined;
  const channels = { x: 'quality', y: 'percent', z: 'estimator' } as const;
  const than = `Bits compared with ${shortName(anchor.estimator)} at the same ${measure.name}`;
  const note = `${than}, in the range of its curve. Further down is better.`;
  const title = `Bits at equal ${measure.name}`;
  return plotFigure({ id: `saving${measure.id}`, title, note }, () => ({
    x: { label: `${measure.axis} →`, grid: true, ...ticksFor(measure, points) },
    y: { label: '↑ bits, %', grid: true, nice: true },
    marks: [
      Plot.ruleY([0], { strokeOpacity: 0.4 }),
      Plot.line(points, { ...channels, sort: 'quality', stroke: d => d.colour, strokeWidth: 2 }),
      dotMark(
        points,
        { ...channels, r: 4 },
        d => `${d.estimator}, ${d.setting}\n${measure.text(d.quality)}\n${d.percent.toFixed(2)} % bits`,
      ),
    ],
  }));
}

/**
 * Bits of a curve at a quality: log bits are linear from one point to the next. Undefined outside of the curve, and for
 * fewer than two points.
 */
function bitsAt(encodes: readonly EncodeRow[], quality: number, { ofEncode }: QualityMeasure): number | undefined {
  const points = encodes
    .map(encode => ({ bits: encode.bits, quality: ofEncode(encode) }))
    .filter(point => Number.isFinite(point.quality))
    .sort((a, b) => a.quality - b.quality);
  const next = points.findIndex(point => point.quality >= quality);
  const [a, b] = [points[next - 1], points[next]];
  if (points.length < 2 || !b) return undefined;
  if (b.quality === quality) return b.bits;
  if (!a) return undefined;
  const share = (quality - a.quality) / (b.quality - a.quality);
  return Math.exp(Math.log(a.bits) + share * (Math.log(b.bits) - Math.log(a.bits)));
}

function ticksFor(measure: QualityMeasure, points: readonly { readonly quality: number }[]): Plot.ScaleOptions {
  const qualities = points.map(({ quality }) => quality);
  return measure.ticks(Math.min(...qualities), Math.max(...qualities));
}

/** BD-rate over search time, a point for each estimator; undefined without data. */
export function tradeOffPlot(rows: readonly ColouredRow[]): ReportPlot | undefined {
  const points = rows.flatMap(({ row, colour }) =>
    row.searchMs && row.bdRatePercent !== undefined
      ? [{ estimator: row.estimator, colour, ms: row.searchMs.median, bdRate: row.bdRatePercent }]
      : [],
  );
  if (points.length === 0) return undefined;
  const anchor = shortName(rows[0]!.row.estimator);
  const note = `BD-rate by PSNR-Y compared with ${anchor}. Further down and left is better.`;
  return plotFigure({ id: 'trade-off', title: 'Search time and bits', note }, () => ({
    insetLeft: 24,
    insetRight: 24,
    insetTop: 20,
    insetBottom: 20,
    x: { ...logOrLinear(points.map(({ ms }) => ms)), label: 'search, ms a picture →', grid: true },
    y: { label: '↑ BD-rate, %', grid: true, nice: true },
    marks: [
      Plot.ruleY([0], { strokeOpacity: 0.4 }),
      dotMark(
        points,
        { x: 'ms', y: 'bdRate', r: 6 },
        d => `${d.estimator}\n${d.ms.toFixed(3)} ms a picture\nBD-rate ${d.bdRate.toFixed(2)} %`,
      ),
      Plot.text(points, { x: 'ms', y: 'bdRate', text: d => shortName(d.estimator), dy: -13, fontSize: 11 }),
    ],
  }));
}
