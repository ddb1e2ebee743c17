// Draws a plot as SVG, once for wide and once for narrow screens.
import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import type { PlotAxes, PlotAxis } from './plot-zoom.js';

/** A plot of the page with its texts. */
export interface ReportPlot extends PlotTexts {
  /** For wide and for narrow screens. */
  readonly wide: DrawnPlot;
  readonly narrow: DrawnPlot;
  /** Number of pictures, if x is the picture's number. The page marks the shown picture. */
  readonly frameCount?: number;
}

/** A plot in one size. */
export interface DrawnPlot {
  readonly svg: string;
  /** In CSS pixels. */
  readonly width: number;
  readonly axes: PlotAxes;
}

/** The name and texts of a plot. */
export interface PlotTexts {
  /** Its name in the page's HTML. */
  readonly id: string;
  readonly title: string;
  /** How to read it. */
  readonly note: string;
}

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
  texts: PlotTexts,
  optionsFor: (size: PlotSize) => Plot.PlotOptions,
  frameCount?: number,
): ReportPlot {
  const { id, title, note } = texts;
  const wide = draw(texts, WIDE, optionsFor(WIDE));
  const narrow = draw(texts, NARROW, optionsFor(NARROW));
  return { id, title, note, wide, narrow, ...(frameCount !== undefined && { frameCount }) };
}

function draw({ title, note }: PlotTexts, size: PlotSize, options: Plot.PlotOptions): DrawnPlot {
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
  plot.setAttribute('role', 'img');
  plot.setAttribute('aria-label', `${title}. ${note}`);
  const axes = { x: axisOf(plot.scale('x'), options.x), y: axisOf(plot.scale('y'), options.y) };
  return { svg: plot.outerHTML, width: size.width, axes };
}

/** An axis of numbers; undefined for one of names. */
function axisOf(scale: Plot.Scale | undefined, options: Plot.ScaleOptions | undefined): PlotAxis | undefined {
  if (scale?.type !== 'linear' && scale?.type !== 'log') return undefined;
  const ends = (values: Iterable<unknown> | undefined) => Array.from(values ?? [], Number) as [number, number];
  const labels = String(options?.label).includes('SSIM') ? 'ssim' : 'plain';
  return { type: scale.type, domain: ends(scale.domain), range: ends(scale.range), labels };
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
