// Plots over the pictures of the clip: bits and PSNR of each picture.
import * as Plot from '@observablehq/plot';
import type { PictureFigures } from '../comparison/measured-picture.js';
import { type PlotTexts, plainNumber, plotFigure, type ReportPlot } from './plot-figure.js';
import type { ColouredRow } from './series.js';

/** Bits of each picture at quantizer_scale `q`; undefined without data. */
export function pictureBitsPlot(rows: readonly ColouredRow[], q: number): ReportPlot | undefined {
  return picturePlot(rows, q, {
    id: 'bits',
    title: `Bits per picture at q\u00a0${q}`,
    note: 'Log scale. I, P and B pictures have a curve each.',
    label: '↑ kbit',
    scale: 'log',
    value: picture => picture.bits / 1000,
    text: picture => `${picture.bits} bits`,
  });
}

/** PSNR-Y of each picture at quantizer_scale `q`; undefined without data. */
export function picturePsnrPlot(rows: readonly ColouredRow[], q: number): ReportPlot | undefined {
  return picturePlot(rows, q, {
    id: 'psnr',
    title: `PSNR-Y per picture at q\u00a0${q}`,
    note: 'Luma against the source picture. I, P and B pictures have a curve each.',
    label: '↑ dB',
    scale: 'linear',
    value: picture => picture.psnrY,
    text: picture => `${picture.psnrY.toFixed(2)} dB`,
  });
}

/** What to plot of each picture. */
interface PictureValue extends PlotTexts {
  readonly label: string;
  readonly scale: 'log' | 'linear';
  readonly value: (picture: PictureFigures) => number;
  readonly text: (picture: PictureFigures) => string;
}

function picturePlot(rows: readonly ColouredRow[], q: number, plot: PictureValue): ReportPlot | undefined {
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
  const { label, scale } = plot;
  const options = {
    x: { label: 'picture →', domain: [0, Math.max(1, count - 1)], ticks: 6, tickFormat: plainNumber },
    y: { type: scale, label, grid: true, nice: scale === 'linear', ticks: 5, tickFormat: plainNumber },
    marks: [
      Plot.line(points, { ...channels, stroke: d => d.colour, strokeWidth: 1.25, strokeOpacity: 0.85 }),
      Plot.dot(points, { ...channels, fill: d => d.colour, r: 1.75, title: 'title' }),
    ],
  };
  return plotFigure(plot, () => options, count);
}
