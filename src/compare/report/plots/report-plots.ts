// All plots of the report, in their order on the page.
import type { Comparison } from '../../comparison/compare-estimators.js';
import { settingText } from '../../comparison/compared-rates.js';
import { colouredRows } from '../series.js';
import { pictureBitsPlot, pictureQualityPlot } from './picture-plots.js';
import type { ReportPlot } from './plot-figure.js';
import { PSNR, SSIM, VMAF } from './quality-measures.js';
import { rateDistortionPlot, savingPlot, tradeOffPlot } from './quality-plots.js';
import { stagePlot } from './stage-plot.js';

/** The plots for which the comparison has data. Plots of single pictures show the encodes at the setting `value`. */
export function reportPlots(comparison: Comparison, value: number): ReportPlot[] {
  const rows = colouredRows(comparison);
  const shown = { value, text: settingText(comparison.settings.option, value).replaceAll(' ', '\u00a0') };
  return [
    rateDistortionPlot(comparison, rows, PSNR),
    savingPlot(comparison, rows, PSNR),
    rateDistortionPlot(comparison, rows, SSIM),
    savingPlot(comparison, rows, SSIM),
    rateDistortionPlot(comparison, rows, VMAF),
    savingPlot(comparison, rows, VMAF),
    tradeOffPlot(rows),
    stagePlot(rows, shown),
    pictureBitsPlot(rows, shown),
    pictureQualityPlot(rows, shown, PSNR),
    pictureQualityPlot(rows, shown, SSIM),
  ].filter(plot => plot !== undefined);
}
