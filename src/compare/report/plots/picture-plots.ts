// Plots over the pictures of the clip: bits and PSNR of each picture.
import * as Plot from '@observablehq/plot';
import type { MeasuredFigures } from '../../comparison/measured-picture.js';
import type { ColouredRow } from '../series.js';
import { type PlotTexts, plainNumber, plotFigure, type ReportPlot } from './plot-figure.js';
import type { PictureMeasure } from './quality-measures.js';

/** Bits of each picture at one setting; undefined without data. */
export function pictureBitsPlot(rows: readonly ColouredRow[], shown: ShownSetting): ReportPlot | undefined {
  return picturePlot(rows, shown, {
    id: 'bits',
    title: `Bits per picture at ${shown.text}`,
    note: 'Log scale. I, P and B pictures have a curve each.',
    label: '↑ kbit',
    y: () => ({ type: 'log', ticks: 5, tickFormat: plainNumber }),
    value: picture => picture.bits / 1000,
    text: picture => `${picture.bits} bits`,
  });
}

/** A quality of each picture at one setting; undefined without data. */
export function pictureQualityPlot(
  rows: readonly ColouredRow[],
  shown: ShownSetting,
  measure: PictureMeasure,
): ReportPlot | undefined {
  return picturePlot(rows, shown, {
    id: measure.id === '' ? 'psnr' : 'ssim',
    title: `${measure.name} per picture at ${shown.text}`,
    note: 'Luma against the source picture. I, P and B pictures have a curve each.',
    label: `↑ ${measure.axis}`,
    y: (low, high) => ({ ticks: 5, tickFormat: plainNumber, ...measure.ticks(low, high) }),
    value: measure.ofPicture,
    text: picture => measure.text(measure.ofPicture(picture)),
  });
}

/** The setting whose encodes are plotted picture by picture, and its name. */
export interface ShownSetting {
  readonly value: number;
  readonly text: string;
}

/** A plot of more points has no dots: its curves are enough, and each dot takes 200 bytes of the page. */
const MAX_DOTS = 2000;

/** What to plot of each picture. */
interface PictureValue extends PlotTexts {
  readonly label: string;
  /** The scale of values from `low` to `high`. */
  readonly y: (low: number, high: number) => Plot.ScaleOptions;
  readonly value: (picture: MeasuredFigures) => number;
  readonly text: (picture: MeasuredFigures) => string;
}

function picturePlot(rows: readonly ColouredRow[], shown: ShownSetting, plot: PictureValue): ReportPlot | undefined {
  const points = rows.flatMap(({ row, colour }) =>
    (row.encodes.find(({ value }) => value === shown.value)?.pictures ?? [])
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
  // A long clip has more points than a function takes arguments: Math.max(...values) would throw.
  const count = points.reduce((most, { frame }) => Math.max(most, frame), 0) + 1;
  const low = points.reduce((least, { value }) => Math.min(least, value), Number.POSITIVE_INFINITY);
  const high = points.reduce((most, { value }) => Math.max(most, value), Number.NEGATIVE_INFINITY);
  const channels = { x: 'frame', y: 'value', z: 'curve' } as const;
  const options = {
    x: { label: 'picture →', domain: [0, Math.max(1, count - 1)], ticks: 6, tickFormat: plainNumber },
    y: { label: plot.label, grid: true, ...plot.y(low, high) },
    marks: [
      Plot.line(points, { ...channels, stroke: d => d.colour, strokeWidth: 1.25, strokeOpacity: 0.85 }),
      ...(points.length > MAX_DOTS
        ? []
        : [Plot.dot(points, { ...channels, fill: d => d.colour, r: 1.75, title: 'title' })]),
    ],
  };
  return plotFigure(plot, () => options, count);
}
