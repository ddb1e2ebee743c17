// Plots of compression: rate and distortion, bits at equal quality, search time against bits.
import * as Plot from '@observablehq/plot';
import type { Comparison } from '../comparison/compare-estimators.js';
import type { EncodeRow } from '../comparison/rows.js';
import { dotMark, logOrLinear, plotFigure, type ReportPlot } from './plot-figure.js';
import { type ColouredRow, shortName } from './series.js';

/** PSNR-Y over bit rate, a curve for each estimator; undefined without data. */
export function rateDistortionPlot(comparison: Comparison, rows: readonly ColouredRow[]): ReportPlot | undefined {
  const points = rows.flatMap(({ row, colour }) =>
    row.encodes
      .filter(({ psnr }) => Number.isFinite(psnr.y))
      .map(({ q, bits, psnr }) => ({
        estimator: row.estimator,
        colour,
        q,
        kbits: (bits * comparison.framesPerSecond) / comparison.frames / 1000,
        psnrY: psnr.y,
      })),
  );
  if (points.length === 0) return undefined;
  const channels = { x: 'kbits', y: 'psnrY', z: 'estimator' } as const;
  const texts = { id: 'rate-distortion', title: 'Rate and distortion', note: 'Further up and left is better.' };
  return plotFigure(texts, () => ({
    x: { ...logOrLinear(points.map(({ kbits }) => kbits)), label: 'kbit/s →', grid: true },
    y: { label: '↑ PSNR-Y, dB', grid: true, nice: true },
    marks: [
      Plot.line(points, { ...channels, stroke: d => d.colour, strokeWidth: 2, strokeOpacity: 0.9 }),
      dotMark(
        points,
        { ...channels, r: 4 },
        d => `${d.estimator}, q ${d.q}\n${d.kbits.toFixed(1)} kbit/s\n${d.psnrY.toFixed(2)} dB`,
      ),
    ],
  }));
}

/** Difference in bits from the first estimator's curve: the curves themselves mostly lie too close together. */
export function savingPlot(rows: readonly ColouredRow[]): ReportPlot | undefined {
  const anchor = rows[0]!.row;
  const points = rows.flatMap(({ row, colour }) =>
    row.encodes.flatMap(({ q, bits, psnr }) => {
      const anchorBits = bitsAt(anchor.encodes, psnr.y);
      return anchorBits === undefined
        ? []
        : [{ estimator: row.estimator, colour, q, psnrY: psnr.y, percent: 100 * (bits / anchorBits - 1) }];
    }),
  );
  if (points.length === 0) return undefined;
  const channels = { x: 'psnrY', y: 'percent', z: 'estimator' } as const;
  const note = `Bits compared with ${shortName(anchor.estimator)} at the same PSNR-Y. Further down is better.`;
  return plotFigure({ id: 'saving', title: 'Bits at equal quality', note }, () => ({
    x: { label: 'PSNR-Y, dB →', grid: true, nice: true, ticks: 6 },
    y: { label: '↑ bits, %', grid: true, nice: true },
    marks: [
      Plot.ruleY([0], { strokeOpacity: 0.4 }),
      Plot.line(points, { ...channels, stroke: d => d.colour, strokeWidth: 2 }),
      dotMark(
        points,
        { ...channels, r: 4 },
        d => `${d.estimator}, q ${d.q}\n${d.psnrY.toFixed(2)} dB\n${d.percent.toFixed(2)} % bits`,
      ),
    ],
  }));
}

/** Bits of a curve at a PSNR, interpolated in log bits between the two nearest points; undefined for fewer than two. */
function bitsAt(encodes: readonly EncodeRow[], psnrY: number): number | undefined {
  const nearest = encodes
    .filter(({ psnr }) => Number.isFinite(psnr.y))
    .sort((a, b) => Math.abs(a.psnr.y - psnrY) - Math.abs(b.psnr.y - psnrY));
  const [a, b] = nearest;
  if (!a || !b || a.psnr.y === b.psnr.y || !Number.isFinite(psnrY)) return undefined;
  const share = (psnrY - a.psnr.y) / (b.psnr.y - a.psnr.y);
  return Math.exp(Math.log(a.bits) + share * (Math.log(b.bits) - Math.log(a.bits)));
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
  const note = `BD-rate compared with ${anchor}. Further down and left is better.`;
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
