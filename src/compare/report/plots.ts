import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import type { Comparison } from '../comparison/compare-estimators.js';
import type { EncodeRow, EstimatorRow } from '../comparison/rows.js';

/** One figure of the page: the same plot for wide and for narrow screens, as SVG. */
export interface ReportPlot {
  /** Names it in the page. */
  readonly id: string;
  readonly title: string;
  /** How to read it. */
  readonly note: string;
  readonly wide: string;
  readonly narrow: string;
  /**
   * Where the plot runs over pictures: what share of its width the first and the last are at, 0..1, wide and narrow, so
   * that the page can show and take a position.
   */
  readonly frames?: { readonly count: number; readonly wide: FrameAxis; readonly narrow: FrameAxis };
}

type FrameAxis = readonly [first: number, last: number];

/** Widths in CSS pixels at which figures are drawn. */
const WIDE = 620;
const NARROW = 340;

/** The stages of an encode, in the order in which they are stacked, with their colours. */
export const STAGES = [
  { key: 'codingMs', label: 'coding', colour: 'var(--stage-coding)' },
  { key: 'motionMs', label: 'waiting for vectors', colour: 'var(--stage-motion)' },
  { key: 'writingMs', label: 'writing bits', colour: 'var(--stage-writing)' },
  { key: 'inputMs', label: 'waiting for frames', colour: 'var(--stage-input)' },
  { key: 'otherMs', label: 'other', colour: 'var(--stage-other)' },
] as const;

/** The colour of the estimator in row `index` of the comparison. */
export function seriesColour(index: number): string {
  return `var(--series-${index % 8})`;
}

/** Every figure for which the comparison has data; per-picture figures show the encodes at quantizer `q`. */
export function reportPlots(comparison: Comparison, q: number): ReportPlot[] {
  const rows = comparison.rows.map((row, index) => ({ row, colour: seriesColour(index) }));
  return [
    rateDistortionPlot(comparison, rows),
    savingPlot(rows),
    tradeOffPlot(rows),
    stagePlot(rows, q),
    picturePlot(rows, q, {
      id: 'bits',
      title: `Bits per picture at q\u00a0${q}`,
      note: 'Log scale. I, P and B pictures have a curve each.',
      label: '↑ kbit',
      type: 'log',
      value: picture => picture.bits / 1000,
      text: picture => `${picture.bits} bits`,
    }),
    picturePlot(rows, q, {
      id: 'psnr',
      title: `PSNR-Y per picture at q\u00a0${q}`,
      note: 'Luma against the source picture. I, P and B pictures have a curve each.',
      label: '↑ dB',
      type: 'linear',
      value: picture => picture.psnrY,
      text: picture => `${picture.psnrY.toFixed(2)} dB`,
    }),
  ].filter(plot => plot !== undefined);
}

interface ColouredRow {
  readonly row: EstimatorRow;
  readonly colour: string;
}

function rateDistortionPlot(comparison: Comparison, rows: readonly ColouredRow[]): ReportPlot | undefined {
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
  return figure(
    { id: 'rate-distortion', title: 'Rate and distortion', note: 'Further up and left is better.' },
    size => ({
      ...size,
      x: { ...logOrLinear(points.map(({ kbits }) => kbits)), label: 'kbit/s →', grid: true },
      y: { label: '↑ PSNR-Y, dB', grid: true, nice: true },
      marks: [
        Plot.line(points, { ...channels, stroke: d => d.colour, strokeWidth: 2, strokeOpacity: 0.9 }),
        Plot.dot(points, {
          ...channels,
          fill: d => d.colour,
          r: 4,
          stroke: 'var(--surface)',
          strokeWidth: 1,
          title: d => `${d.estimator}, q ${d.q}\n${d.kbits.toFixed(1)} kbit/s\n${d.psnrY.toFixed(2)} dB`,
        }),
      ],
    }),
  );
}

/** The curves once more, as the difference from the first one: they mostly lie too close to tell. */
function savingPlot(rows: readonly ColouredRow[]): ReportPlot | undefined {
  const [anchor] = rows;
  const points = rows.flatMap(({ row, colour }) =>
    row.encodes.flatMap(({ q, bits, psnr }) => {
      const anchorBits = bitsAt(anchor!.row.encodes, psnr.y);
      return anchorBits === undefined
        ? []
        : [{ estimator: row.estimator, colour, q, psnrY: psnr.y, percent: 100 * (bits / anchorBits - 1) }];
    }),
  );
  if (points.length === 0) return undefined;
  const channels = { x: 'psnrY', y: 'percent', z: 'estimator' } as const;
  const note = `More or fewer bits than ${shortName(anchor!.row.estimator)} needs for the same PSNR-Y. Further down is better.`;
  return figure({ id: 'saving', title: 'Bits at equal quality', note }, size => ({
    ...size,
    x: { label: 'PSNR-Y, dB →', grid: true, nice: true, ticks: 6 },
    y: { label: '↑ bits, %', grid: true, nice: true },
    marks: [
      Plot.ruleY([0], { strokeOpacity: 0.4 }),
      Plot.line(points, { ...channels, stroke: d => d.colour, strokeWidth: 2 }),
      Plot.dot(points, {
        ...channels,
        fill: d => d.colour,
        r: 4,
        stroke: 'var(--surface)',
        strokeWidth: 1,
        title: d => `${d.estimator}, q ${d.q}\n${d.psnrY.toFixed(2)} dB\n${d.percent.toFixed(2)} % bits`,
      }),
    ],
  }));
}

/** Bits of a curve at a PSNR: on the line through the two nearest points, in log bits; undefined of less than two. */
function bitsAt(encodes: readonly EncodeRow[], psnrY: number): number | undefined {
  const nearest = encodes
    .filter(({ psnr }) => Number.isFinite(psnr.y))
    .sort((a, b) => Math.abs(a.psnr.y - psnrY) - Math.abs(b.psnr.y - psnrY));
  const [a, b] = nearest;
  if (!a || !b || a.psnr.y === b.psnr.y || !Number.isFinite(psnrY)) return undefined;
  const share = (psnrY - a.psnr.y) / (b.psnr.y - a.psnr.y);
  return Math.exp(Math.log(a.bits) + share * (Math.log(b.bits) - Math.log(a.bits)));
}

/** What an estimator costs in time against what it saves in bits. */
function tradeOffPlot(rows: readonly ColouredRow[]): ReportPlot | undefined {
  const points = rows.flatMap(({ row, colour }) =>
    row.searchMs && row.bdRatePercent !== undefined
      ? [{ estimator: row.estimator, colour, ms: row.searchMs.median, bdRate: row.bdRatePercent }]
      : [],
  );
  if (points.length === 0) return undefined;
  return figure(
    {
      id: 'trade-off',
      title: 'Search time and bits',
      note: `BD-rate against ${rows[0]!.row.estimator}: bits at equal PSNR-Y. Further down and left is better.`,
    },
    size => ({
      ...size,
      insetLeft: 24,
      insetRight: 24,
      insetTop: 20,
      insetBottom: 20,
      x: { ...logOrLinear(points.map(({ ms }) => ms)), label: 'search, ms a picture →', grid: true },
      y: { label: '↑ BD-rate, %', grid: true, nice: true },
      marks: [
        Plot.ruleY([0], { strokeOpacity: 0.4 }),
        Plot.dot(points, {
          x: 'ms',
          y: 'bdRate',
          fill: d => d.colour,
          r: 6,
          stroke: 'var(--surface)',
          strokeWidth: 1,
          title: d => `${d.estimator}\n${d.ms.toFixed(3)} ms a picture\nBD-rate ${d.bdRate.toFixed(2)} %`,
        }),
        Plot.text(points, { x: 'ms', y: 'bdRate', text: d => shortName(d.estimator), dy: -13, fontSize: 11 }),
      ],
    }),
  );
}

interface PicturePlot {
  readonly id: string;
  readonly title: string;
  readonly note: string;
  readonly label: string;
  readonly type: 'log' | 'linear';
  readonly value: (picture: EncodeRow['pictures'][number]) => number;
  readonly text: (picture: EncodeRow['pictures'][number]) => string;
}

function picturePlot(rows: readonly ColouredRow[], q: number, plot: PicturePlot): ReportPlot | undefined {
  const points = rows.flatMap(({ row, colour }) =>
    (row.encodes.find(encode => encode.q === q)?.pictures ?? [])
      .map(picture => ({
        estimator: row.estimator,
        colour,
        curve: `${row.estimator} ${picture.type}`,
        frame: picture.frame,
        value: plot.value(picture),
        title: `${row.estimator}, picture ${picture.frame} (${picture.type})\n${plot.text(picture)}`,
      }))
      .filter(({ value }) => Number.isFinite(value)),
  );
  if (points.length === 0) return undefined;
  const count = Math.max(...points.map(({ frame }) => frame)) + 1;
  const channels = { x: 'frame', y: 'value', z: 'curve' } as const;
  return figure(
    plot,
    size => ({
      ...size,
      x: { label: 'picture →', domain: [0, Math.max(1, count - 1)], ticks: 6, tickFormat: plainNumber },
      y: {
        type: plot.type,
        label: plot.label,
        grid: true,
        nice: plot.type === 'linear',
        ticks: 5,
        tickFormat: plainNumber,
      },
      marks: [
        Plot.line(points, { ...channels, stroke: d => d.colour, strokeWidth: 1.25, strokeOpacity: 0.85 }),
        Plot.dot(points, { ...channels, fill: d => d.colour, r: 1.75, title: 'title' }),
      ],
    }),
    count,
  );
}

function stagePlot(rows: readonly ColouredRow[], q: number): ReportPlot | undefined {
  const bars = rows.flatMap(({ row }) => {
    const stages = row.encodes.find(encode => encode.q === q)?.stages;
    return stages
      ? STAGES.map(({ key, label, colour }) => ({
          estimator: shortName(row.estimator),
          label,
          colour,
          ms: stages[key],
        }))
      : [];
  });
  if (bars.length === 0) return undefined;
  const estimators = [...new Set(bars.map(({ estimator }) => estimator))];
  return figure(
    {
      id: 'stages',
      title: `Where the coder's time goes at q\u00a0${q}`,
      note: 'Main thread, milliseconds a picture, in the run of median speed.',
    },
    size => ({
      ...size,
      height: Math.max(70 + 44 * estimators.length, size.width === NARROW ? 0 : 340),
      marginLeft: 16 + 6.2 * Math.max(...estimators.map(name => name.length)),
      x: { label: 'ms a picture →', grid: true, ticks: 6 },
      y: { label: null, domain: estimators },
      marks: [
        Plot.barX(bars, {
          x: 'ms',
          y: 'estimator',
          fill: d => d.colour,
          insetTop: 6,
          insetBottom: 6,
          title: d => `${d.estimator}: ${d.label}\n${d.ms.toFixed(3)} ms a picture`,
        }),
        Plot.ruleX([0]),
      ],
    }),
  );
}

function figure(
  { id, title, note }: { readonly id: string; readonly title: string; readonly note: string },
  optionsFor: (size: Plot.PlotOptions) => Plot.PlotOptions,
  frameCount?: number,
): ReportPlot {
  const draw = (width: number, height: number) => {
    const { document } = parseHTML('<!doctype html><html><body></body></html>');
    const plot = Plot.plot({
      ...optionsFor({ width, height, marginLeft: 48, marginBottom: 38, marginTop: 26, style: { fontSize: '11px' } }),
      document,
      className: 'plot',
    });
    const [first = 0, last = width] = Array.from(plot.scale('x')?.range ?? [], Number);
    const axis: FrameAxis = [first / width, last / width];
    return { svg: plot.outerHTML, axis };
  };
  const wide = draw(WIDE, 340);
  const narrow = draw(NARROW, 260);
  return {
    id,
    title,
    note,
    wide: wide.svg,
    narrow: narrow.svg,
    ...(frameCount !== undefined && { frames: { count: frameCount, wide: wide.axis, narrow: narrow.axis } }),
  };
}

/** A module path is known by its file's name. */
export function shortName(estimator: string): string {
  return estimator.split(/[\\/]/).at(-1)!;
}

/** A log scale where it has labels to show: over a narrow range it has hardly any. */
function logOrLinear(values: readonly number[]): Plot.ScaleOptions {
  const isWide = Math.max(...values) > 4 * Math.min(...values);
  return isWide ? { type: 'log', ticks: 5, tickFormat: plainNumber } : { type: 'linear', ticks: 5, nice: true };
}

function plainNumber(value: number): string {
  return Number(value.toPrecision(6)).toLocaleString('en', { useGrouping: false, maximumFractionDigits: 3 });
}
