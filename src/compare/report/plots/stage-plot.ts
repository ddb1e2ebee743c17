// The plot of the main thread's time by stage of the encode.
import * as Plot from '@observablehq/plot';
import { type ColouredRow, shortName } from '../series.js';
import type { ShownSetting } from './picture-plots.js';
import { NARROW, plotFigure, type ReportPlot } from './plot-figure.js';

/** The stages of an encode in the order of the bars' parts, with their colours. */
export const STAGES = [
  { key: 'codingMs', label: 'coding', colour: 'var(--stage-coding)' },
  { key: 'motionMs', label: 'waiting for vectors', colour: 'var(--stage-motion)' },
  { key: 'writingMs', label: 'writing headers', colour: 'var(--stage-writing)' },
  { key: 'inputMs', label: 'waiting for frames', colour: 'var(--stage-input)' },
  { key: 'otherMs', label: 'other', colour: 'var(--stage-other)' },
] as const;

/** A bar for each estimator at one setting; undefined without data. */
export function stagePlot(rows: readonly ColouredRow[], shown: ShownSetting): ReportPlot | undefined {
  const bars = rows.flatMap(({ row }) => {
    const stages = row.encodes.find(({ value }) => value === shown.value)?.stages;
    const estimator = shortName(row.estimator);
    return stages ? STAGES.map(({ key, label, colour }) => ({ estimator, label, colour, ms: stages[key] })) : [];
  });
  if (bars.length === 0) return undefined;
  const estimators = [...new Set(bars.map(({ estimator }) => estimator))];
  const title = `Time of the main thread at ${shown.text}`;
  const note = 'Milliseconds a picture, in the run of median speed.';
  const minHeight = 70 + 44 * estimators.length;
  return plotFigure({ id: 'stages', title, note }, size => ({
    // Beside another plot it has at least that one's height.
    height: size === NARROW ? minHeight : Math.max(minHeight, size.height),
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
  }));
}
