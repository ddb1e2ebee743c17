// Draws a plot as SVG, once for wide and once for narrow screens.
import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';

/** A plot of the page with its texts. */
export interface ReportPlot extends PlotTexts {
  /** SVG for wide and for narrow screens. */
  readonly wide: string;
  readonly narrow: string;
  /** If x is the picture's number: number of pictures, and where the x axis lies. The page marks the shown picture. */
  readonly frames?: { readonly count: number; readonly wide: FrameAxis; readonly narrow: FrameAxis };
}

/** The name and texts of a plot. */
export interface PlotTexts {
  /** Its name in the page's HTML. */
  readonly id: string;
  readonly title: string;
  /** How to read it. */
  readonly note: string;
}

/** Positions of the first and the last picture as shares 0..1 of the plot's width. */
type FrameAxis = readonly [first: number, last: number];

/** A size in CSS pixels. */
interface PlotSize {
  readonly width: number;
  readonly height: number;
}

/** On wide screens plots stand side by side, on narrow ones one below another. */
const WIDE: PlotSize = { width: 620, height: 340 };
export const NARROW: PlotSize = { width: 340, height: 260 };

/** Draws a plot in both sizes. `frameCount` is given if x is the picture's number. */
export function plotFigure(
  { id, title, note }: PlotTexts,
  optionsFor: (size: PlotSize) => Plot.PlotOptions,
  frameCount?: number,
): ReportPlot {
  const wide = draw(WIDE, optionsFor(WIDE));
  const narrow = draw(NARROW, optionsFor(NARROW));
  return {
    id,
    title,
    note,
    wide: wide.svg,
    narrow: narrow.svg,
    ...(frameCount !== undefined && { frames: { count: frameCount, wide: wide.axis, narrow: narrow.axis } }),
  };
}

function draw(size: PlotSize, options: Plot.PlotOptions): { svg: string; axis: FrameAxis } {
  const { document } = parseHTML('<!doctype html><html><body></body></html>');
  const plot = Plot.plot({
    ...size,
    marginLeft: 48,
    marginBottom: 38,
    marginTop: 26,
    style: { fontSize: '11px' },
    ...options,
    document,
    className: 'plot',
  });
  const [first = 0, last = size.width] = Array.from(plot.scale('x')?.range ?? [], Number);
  return { svg: plot.outerHTML, axis: [first / size.width, last / size.width] };
}

/** A larger dot in an estimator's colour. Its text appears when the mouse is over it. */
export function dotMark<Point extends { readonly colour: string }>(
  points: readonly Point[],
  channels: { readonly x: string; readonly y: string; readonly z?: string; readonly r: number },
  titleOf: (point: Point) => string,
): Plot.Markish {
  const style = { stroke: 'var(--surface)', strokeWidth: 1 };
  return Plot.dot(points, { ...channels, ...style, fill: point => point.colour, title: titleOf });
}

/** A log scale for a wide range of values, a linear one for a narrow range: there a log scale has hardly any labels. */
export function logOrLinear(values: readonly number[]): Plot.ScaleOptions {
  const isWide = Math.max(...values) > 4 * Math.min(...values);
  return isWide ? { type: 'log', ticks: 5, tickFormat: plainNumber } : { type: 'linear', ticks: 5, nice: true };
}

/** A number without exponent and grouping. */
export function plainNumber(value: number): string {
  return Number(value.toPrecision(6)).toLocaleString('en', { useGrouping: false, maximumFractionDigits: 3 });
}
