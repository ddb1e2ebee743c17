// The measures of quality that the report plots, and their axes.
import type * as Plot from '@observablehq/plot';
import type { MeasuredFigures } from '../../comparison/measured-picture.js';
import type { EncodeRow } from '../../comparison/rows.js';
import { ssimInDb } from '../../quality/ssim.js';

/** A measure of quality; more is better. */
export interface QualityMeasure {
  /** Ends the names of its plots in the page's HTML. */
  readonly id: '' | '-ssim' | '-vmaf';
  readonly name: 'PSNR-Y' | 'SSIM-Y' | 'VMAF';
  /** The label of an axis, without its arrow. */
  readonly axis: string;
  /** Of an encode: PSNR and SSIM in dB, Infinity for equal pictures; NaN if it was not measured. */
  readonly ofEncode: (encode: EncodeRow) => number;
  /** A value in words. */
  readonly text: (value: number) => string;
  /** Ticks for values from `low` to `high`. */
  readonly ticks: (low: number, high: number) => Plot.ScaleOptions;
}

/** A measure that is known of each picture. */
export interface PictureMeasure extends QualityMeasure {
  /** Of one picture, in dB. */
  readonly ofPicture: (picture: MeasuredFigures) => number;
}

export const PSNR: PictureMeasure = {
  id: '',
  name: 'PSNR-Y',
  axis: 'PSNR-Y, dB',
  ofEncode: ({ psnr }) => psnr.y,
  ofPicture: ({ psnrY }) => psnrY,
  text: db => `${db.toFixed(2)} dB`,
  ticks: () => ({ nice: true }),
};

/** SSIM is drawn in dB, so that differences near 1 are seen; its axis is labelled with plain SSIM. */
export const SSIM: PictureMeasure = {
  id: '-ssim',
  name: 'SSIM-Y',
  axis: 'SSIM-Y',
  ofEncode: ({ ssim }) => ssimInDb(ssim.y),
  ofPicture: ({ ssimY }) => ssimInDb(ssimY),
  text: db => `SSIM ${ssimText(db)} (${db.toFixed(2)} dB)`,
  ticks: (low, high) => ({ ticks: ssimTicks(low, high), tickFormat: ssimText }),
};

export const VMAF: QualityMeasure = {
  id: '-vmaf',
  name: 'VMAF',
  axis: 'VMAF',
  ofEncode: ({ vmaf }) => vmaf ?? Number.NaN,
  text: value => `VMAF ${value.toFixed(2)}`,
  ticks: () => ({ nice: true }),
};

/** Round SSIMs in dB: 0.9, 0.95, 0.98, 0.99 and so on; where fewer than two lie in the range, five even steps of it. */
function ssimTicks(low: number, high: number): number[] {
  const round = [0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002, 0.0001]
    .map(rest => -10 * Math.log10(rest))
    .filter(db => db >= low && db <= high);
  return round.length >= 2 ? round : Array.from({ length: 5 }, (_, i) => low + ((high - low) * i) / 4);
}

/** An SSIM that is given in dB, with as many digits as tell it from 1. */
function ssimText(db: number): string {
  const rest = 10 ** (-db / 10);
  const digits = Math.max(2, Math.min(6, Math.ceil(-Math.log10(rest)) + 1));
  return String(Number((1 - rest).toFixed(digits)));
}
