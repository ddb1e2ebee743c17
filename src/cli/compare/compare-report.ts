// The JSON report of `compare`.
import type { EncodeRow, EstimatorRow } from '../../compare/comparison/rows.js';
import { finitePsnr, finitePsnrs } from '../psnr-json.js';
import type { CompareResult } from './compare-run.js';

/** The object that `compare --json` prints. Null: not measured. Times are in ms, shares are 0..1, PSNR is in dB. */
export function compareReport({ input, comparison, encoder, machine, report }: CompareResult): object {
  const { width, height, frames, framesPerSecond, quantizers, runs, rows, interrupted } = comparison;
  return {
    input,
    width,
    height,
    frames,
    frameRate: framesPerSecond,
    quantisers: quantizers, // the name that readers of this JSON know
    repeat: runs,
    options: encoder,
    machine,
    interrupted,
    report: report ?? null,
    estimators: rows.map(estimatorEntry),
  };
}

function estimatorEntry(row: EstimatorRow): object {
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
    encodes: encodes.map(encodeEntry),
  };
}

function encodeEntry(row: EncodeRow): object {
  const { q, bits, vectorBits, psnr, ssim, framesPerSecond, waitShare, setupMs, searchBusyMs, stages } = row;
  return {
    q,
    bits,
    vectorBits,
    psnr: finitePsnrs(psnr),
    ssim,
    fps: framesPerSecond ?? null,
    waitShare: waitShare ?? null,
    setupMs: setupMs ?? null,
    searchBusyMs: searchBusyMs ?? null,
    stagesMs: stages ?? null,
    runs: row.runs,
    pictures: row.pictures.map(picture => ({ ...picture, psnrY: finitePsnr(picture.psnrY) })),
  };
}
