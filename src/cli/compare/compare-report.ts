// The JSON report of `compare`.
import type { RateOption } from '../../compare/comparison/compared-rates.js';
import type { BdRates, EncodeRow, EstimatorRow } from '../../compare/comparison/rows.js';
import { finitePsnr, finitePsnrs } from '../../encode-files/psnr-text.js';
import type { Warnings } from '../warnings.js';
import type { CompareResult } from './compare-result.js';

/**
 * The object that `compare --json` prints, but for its warnings. Null: not measured. Times are in ms, shares are 0..1,
 * PSNR is in dB.
 */
function compareReport({ input, comparison, encoder, origin, report, csv }: CompareResult): object {
  const { width, height, frames, framesPerSecond, settings, runs, rows, interrupted, bdMethod, vmafLeftOut } =
    comparison;
  const { machine, inputBytes, ...made } = origin;
  return {
    ...made,
    input,
    inputBytes,
    width,
    height,
    frames,
    frameRate: framesPerSecond,
    quantisers: settings.option === 'q' ? settings.values : [], // the name that readers of this JSON know
    settings,
    repeat: runs,
    bdMethod: bdMethod ?? null,
    vmafLeftOut: vmafLeftOut ?? null,
    options: encoder,
    machine,
    interrupted,
    report: report ?? null,
    csv: csv ?? null,
    estimators: rows.map(row => estimatorEntry(row, settings.option)),
  };
}

function estimatorEntry(row: EstimatorRow, option: RateOption): object {
  const { estimator, name, device, passedOver, outcome, reason, searchMs, fields, encodes, bdRatePercent } = row;
  return {
    estimator,
    name,
    device,
    passedOver,
    outcome,
    reason: reason ?? null,
    searchMs: searchMs ?? null,
    searchSpeedRatio: row.searchSpeedRatio ?? null,
    pairs: fields?.pairs ?? null,
    sadPerPelBefore: fields?.sadPerPelBefore ?? null,
    sadPerPelAfter: fields?.sadPerPelAfter ?? null,
    agreement: fields?.agreement ?? null,
    bdRatePercent: bdRatePercent ?? null,
    bdRateSsimPercent: row.bdRateSsimPercent ?? null,
    bdRateVmafPercent: row.bdRateVmafPercent ?? null,
    bdRatesPercent: bdRatesEntry(row.bdRates),
    encodes: encodes.map(encode => encodeEntry(encode, option)),
  };
}

function bdRatesEntry({ psnr, ssim, vmaf }: BdRates): object {
  const entry = ({ cubic, pchip, akima }: BdRates['psnr']) => ({
    cubic: cubic ?? null,
    pchip: pchip ?? null,
    akima: akima ?? null,
  });
  return { psnr: entry(psnr), ssim: entry(ssim), vmaf: entry(vmaf) };
}

function encodeEntry(row: EncodeRow, option: RateOption): object {
  const { value, bits, vectorBits, psnr, ssim, framesPerSecond, waitShare, setupMs, searchBusyMs, stages } = row;
  return {
    q: null,
    quality: null,
    bitrate: null,
    [option]: value,
    bits,
    vectorBits,
    psnr: finitePsnrs(psnr),
    ssim,
    vmaf: row.vmaf ?? null,
    fps: framesPerSecond ?? null,
    waitShare: waitShare ?? null,
    setupMs: setupMs ?? null,
    searchBusyMs: searchBusyMs ?? null,
    stagesMs: stages ?? null,
    runs: row.runs,
    pictures: row.pictures.map(picture => ({ ...picture, psnrY: finitePsnr(picture.psnrY) })),
  };
}

/** The line that `compare --json` prints. */
export function compareJson(result: CompareResult, warnings: Warnings): string {
  return `${JSON.stringify({ ...compareReport(result), warnings: warnings.messages })}\n`;
}
