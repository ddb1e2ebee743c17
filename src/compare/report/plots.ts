// All plots of the report, in their order on the page.
import type { Comparison } from '../comparison/compare-estimators.js';
import { pictureBitsPlot, picturePsnrPlot } from './picture-plots.js';
import type { ReportPlot } from './plot-figure.js';
import { rateDistortionPlot, savingPlot, tradeOffPlot } from './quality-plots.js';
import { colouredRows } from './series.js';
import { stagePlot } from './stage-plot.js';

/** The plots for which the comparison has data. Plots of single pictures show the encodes at quantizer_scale `q`. */
export function reportPlots(comparison: Comparison, q: number): ReportPlot[] {
  const rows = colouredRows(comparison);
  return [
    rateDistortionPlot(comparison, rows),
    savingPlot(rows),
    tradeOffPlot(rows),
    stagePlot(rows, q),
    pictureBitsPlot(rows, q),
    picturePsnrPlot(rows, q),
  ].filter(plot => plot !== undefined);
}
